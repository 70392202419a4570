//! The `licences` check: what may be depended upon, as deny.toml says.
//!
//! cargo-deny does this where it is installed. Without it, only the licences and sources of packages are checked
//! here, so that the check works on a new machine: building cargo-deny takes longer than all other checks together.

use serde::Deserialize;
use spdx::{Expression, Licensee, ParseMode};

use crate::{
    task_error::{Context, Result, TaskError},
    tools,
    workspace::{Package, Workspace},
};

/// The one registry from which packages come, as cargo names it.
const REGISTRY: &str = concat!("registry+https://github.com/rust-lang/crates", ".io-index");

/// The part of deny.toml that is checked without cargo-deny.
#[derive(Deserialize)]
struct Policy {
    /// Its table of licences.
    licenses: Licenses,
}

/// The licences that packages may have.
#[derive(Deserialize)]
struct Licenses {
    /// SPDX names of those that are allowed for all packages.
    allow: Vec<String>,
    /// Those that are allowed for single packages.
    #[serde(default)]
    exceptions: Vec<Exception>,
}

/// Licences that are allowed for one package only.
#[derive(Deserialize)]
struct Exception {
    /// The name of the package.
    #[serde(rename = "crate")]
    name: String,
    /// SPDX names of its licences.
    allow: Vec<String>,
}

/// Checks licence, source and bans of every package of the dependency graph, on any platform, by cargo-deny if it is
/// installed. Without it bans are not checked, which is printed. Prints each finding. Prints how many packages are
/// allowed.
///
/// # Errors
///
/// Fails if a package is not allowed, if deny.toml cannot be parsed, or if cargo cannot list the packages.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    if tools::has_cargo(workspace, "deny") {
        let mut deny = tools::cargo(workspace);
        deny.args(["deny", "check", "licenses", "bans", "sources"]);
        return tools::must(&mut deny);
    }
    let policy: Policy = toml::from_str(&workspace.read("deny.toml")?).context("cannot use deny.toml")?;
    let packages = workspace.metadata()?.packages;
    let findings = policy.licenses.findings(&packages)?;
    findings.iter().for_each(|finding| println!("error: {finding}"));
    if !findings.is_empty() {
        return Err(TaskError::new(format!("{} licences or sources are not allowed", findings.len())));
    }
    println!("{} packages have allowed licences and sources", packages.len());
    println!("bans were not checked: cargo-deny is not installed");
    Ok(())
}

impl Licenses {
    /// Returns a sentence for each fault of a package in the order of the packages: a licence that is not allowed, and
    /// a source other than the public registry. A package of the workspace has no source, which is allowed. Empty if
    /// there are none.
    ///
    /// # Errors
    ///
    /// Fails if deny.toml names a licence that does not exist.
    fn findings(&self, packages: &[Package]) -> Result<Vec<String>> {
        let allowed = licensees(&self.allow)?;
        let mut findings = Vec::new();
        for package in packages {
            let exception = self.exceptions.iter().find(|exception| exception.name == package.name);
            let also = exception.map_or(Ok(Vec::new()), |exception| licensees(&exception.allow))?;
            findings.extend(licence(package, &allowed, &also));
            let foreign = package.source.as_deref().filter(|source| *source != REGISTRY);
            findings.extend(foreign.map(|source| {
                format!("{} comes from {source}, not from the public registry", package.label())
            }));
        }
        Ok(findings)
    }
}

/// Parses names of licences from deny.toml, in their order.
///
/// # Errors
///
/// Fails if a name is no SPDX licence.
fn licensees(names: &[String]) -> Result<Vec<Licensee>> {
    names
        .iter()
        .map(|name| {
            Licensee::parse(name).context(format!("deny.toml allows `{name}`, which is no SPDX licence"))
        })
        .collect()
}

/// Returns a sentence about the fault of a package's licence: it states none, it is no SPDX expression, or it is not
/// satisfied by those that are allowed. `None` if it is allowed. `also` are those that are allowed for this package
/// only.
fn licence(package: &Package, allowed: &[Licensee], also: &[Licensee]) -> Option<String> {
    let label = package.label();
    let Some(text) = &package.license else {
        return Some(format!("{label} states no licence ({})", package.manifest_path.display()));
    };
    match Expression::parse_mode(text, ParseMode::LAX) {
        Err(error) => Some(format!("{label}: its licence `{text}` is no SPDX expression: {}", error.reason)),
        Ok(expression) => {
            let fine = expression.evaluate(|need| allowed.iter().chain(also).any(|one| one.satisfies(need)));
            (!fine).then(|| format!("{label}: its licence `{text}` is not among those that deny.toml allows"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = r#"
        [licenses]
        allow = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"]
        exceptions = [{ crate = "names", allow = ["Unicode-3.0"] }]
        [sources]
        unknown-registry = "deny"
    "#;

    /// Returns a package with this name, licence and source.
    fn package(name: &str, license: Option<&str>, source: &str) -> Package {
        Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: license.map(str::to_owned),
            source: Some(source.to_owned()),
            manifest_path: "Cargo.toml".into(),
            targets: Vec::new(),
            dependencies: Vec::new(),
        }
    }

    /// Returns the findings about one package by the policy of these tests.
    fn findings(package: Package) -> Vec<String> {
        toml::from_str::<Policy>(POLICY).unwrap().licenses.findings(&[package]).unwrap()
    }

    /// Returns whether a package of the registry with this licence is allowed by the policy of these tests.
    fn licensed(license: &str) -> bool {
        findings(package("a", Some(license), REGISTRY)).is_empty()
    }

    #[test]
    fn licence_expressions_are_evaluated() {
        assert!(licensed("MIT"));
        assert!(licensed("MIT OR GPL-3.0-only"));
        assert!(licensed("MIT/Apache-2.0"));
        assert!(licensed("(MIT OR GPL-2.0-only) AND Apache-2.0"));
        assert!(licensed("Apache-2.0 WITH LLVM-exception"));
        assert!(!licensed("GPL-3.0-only"));
        assert!(!licensed("MIT AND GPL-3.0-only"));
        assert!(!licensed("no licence at all"));
    }

    #[test]
    fn a_missing_licence_is_an_error() {
        let found = findings(package("a", None, REGISTRY));
        assert!(matches!(&found[..], [text] if text.contains("states no licence")), "{found:?}");
    }

    #[test]
    fn exceptions_hold_for_one_package() {
        let expression = Some("(MIT OR Apache-2.0) AND Unicode-3.0");
        assert_eq!(findings(package("names", expression, REGISTRY)), [""; 0]);
        assert_eq!(findings(package("other", expression, REGISTRY)).len(), 1);
    }

    #[test]
    fn other_sources_are_errors() {
        let git = findings(package("a", Some("MIT"), "git+https://example.org/a#1"));
        assert!(matches!(&git[..], [text] if text.contains("example.org")), "{git:?}");
    }

    #[test]
    fn the_policy_of_the_repository_is_understood() {
        let workspace = Workspace::find().unwrap();
        let policy: Policy = toml::from_str(&workspace.read("deny.toml").unwrap()).unwrap();
        assert!(!policy.licenses.allow.is_empty());
    }
}
