//! The `licences` check: what may be depended upon, as deny.toml says.
//!
//! deny.toml has the format of cargo-deny, which gives the same answers and more detail
//! (`cargo deny check`). Building cargo-deny takes longer than all other checks together, so licences,
//! bans and sources are checked here. Advisories are left to cargo-deny: they need a database from the
//! network. A setting that is not understood here is an error, never ignored.

use std::collections::BTreeMap;

use serde::Deserialize;
use spdx::{Expression, Licensee, ParseMode};

use crate::{
    task_error::{Context, Result, TaskError},
    workspace::{Package, Workspace},
};

/// The one registry from which packages come, as cargo names it.
const REGISTRY: &str = concat!("registry+https://github.com/rust-lang/crates", ".io-index");

/// deny.toml.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Policy {
    /// Only for cargo-deny.
    #[serde(default, rename = "advisories")]
    _advisories: toml::Table,
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Licenses {
    allow: Vec<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
    /// Only for cargo-deny: whether it complains of an allowed licence that nothing uses.
    #[serde(default, rename = "unused-allowed-license")]
    _unused_allowed_license: Level,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Bans {
    multiple_versions: Level,
    #[serde(default)]
    deny: Vec<Named>,
    #[serde(default)]
    skip: Vec<Named>,
}

/// A package by name, or by `name@version`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    #[serde(rename = "crate")]
    spec: String,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Sources {
    unknown_registry: Level,
    unknown_git: Level,
}

/// Severity of a finding.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Level {
    Allow,
    #[default]
    Warn,
    Deny,
}

/// Something found, and how bad it is.
type Finding = (Level, String);

/// Checks every package of the dependency graph, on any platform.
///
/// # Errors
///
/// Fails if a package is not allowed, or deny.toml has settings that this check does not support.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let policy: Policy = toml::from_str(&workspace.read("deny.toml")?).context("cannot use deny.toml")?;
    let packages = workspace.metadata()?.packages;
    let findings = policy.findings(&packages)?;
    let mut denied = 0;
    for (level, text) in &findings {
        match level {
            Level::Allow => {}
            Level::Warn => println!("warning: {text}"),
            Level::Deny => {
                println!("error: {text}");
                denied += 1;
            }
        }
    }
    if denied > 0 {
        return Err(TaskError::new(format!("{denied} of the dependencies' properties are not allowed")));
    }
    println!("{} packages have allowed licences and sources", packages.len());
    Ok(())
}

impl Policy {
    /// Checks all packages and returns the violations.
    ///
    /// # Errors
    ///
    /// Fails if deny.toml names an invalid licence.
    fn findings(&self, packages: &[Package]) -> Result<Vec<Finding>> {
        let mut findings = Vec::new();
        let allowed = licensees(&self.licenses.allow)?;
        let mut exceptions = BTreeMap::new();
        for exception in &self.licenses.exceptions {
            exceptions.insert(exception.name.as_str(), licensees(&exception.allow)?);
        }
        for package in packages {
            let also = exceptions.get(package.name.as_str()).map_or(&[][..], Vec::as_slice);
            findings.extend(licence(package, &allowed, also).map(|text| (Level::Deny, text)));
            findings.extend(self.sources.check(package));
            findings.extend(self.bans.check(package));
        }
        findings.extend(self.bans.duplicates(packages));
        Ok(findings)
    }
}

/// Parses the names of licences.
///
/// # Errors
///
/// Fails if one is not an SPDX licence.
fn licensees(names: &[String]) -> Result<Vec<Licensee>> {
    names
        .iter()
        .map(|name| {
            Licensee::parse(name).context(format!("deny.toml allows `{name}`, which is no SPDX licence"))
        })
        .collect()
}

/// Describes the fault of a package's licence; `None` if it is allowed.
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

impl Sources {
    /// Checks where a package comes from; `None` if that is allowed or it is part of the workspace.
    fn check(&self, package: &Package) -> Option<Finding> {
        let source = package.source.as_deref()?;
        let level = if source == REGISTRY {
            return None;
        } else if source.starts_with("git+") {
            self.unknown_git
        } else {
            self.unknown_registry
        };
        Some((level, format!("{} comes from {source}, not from the public registry", package.label())))
    }
}

impl Bans {
    /// Checks whether a package is banned; `None` if it is not.
    fn check(&self, package: &Package) -> Option<Finding> {
        let ban = self.deny.iter().find(|ban| ban.names(package))?;
        let reason = ban.reason.as_deref().unwrap_or("see deny.toml");
        Some((Level::Deny, format!("{} is banned: {reason}", package.label())))
    }

    /// Returns the packages that occur in several versions, except those that deny.toml skips.
    fn duplicates(&self, packages: &[Package]) -> Vec<Finding> {
        let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for package in packages.iter().filter(|package| !self.skip.iter().any(|skip| skip.names(package))) {
            versions.entry(&package.name).or_default().push(&package.version);
        }
        versions.retain(|_, versions| versions.len() > 1);
        let text = |(name, versions): (&str, Vec<&str>)| {
            format!("{name} is there in versions {}", versions.join(" and "))
        };
        versions.into_iter().map(|pair| (self.multiple_versions, text(pair))).collect()
    }
}

impl Named {
    /// Returns whether this names the package. A version also names all versions of which it is a prefix: `2` names
    /// `2.1.0`.
    fn names(&self, package: &Package) -> bool {
        match self.spec.split_once(['@', ':']) {
            None => self.spec == package.name,
            Some((name, version)) => {
                let rest = package.version.strip_prefix(version);
                name == package.name
                    && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '+', '-']))
            }
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
        [bans]
        multiple-versions = "warn"
        deny = [{ crate = "openssl", reason = "a C library" }]
        skip = [{ crate = "syn@2", reason = "older derive macros" }]
        [sources]
        unknown-registry = "deny"
        unknown-git = "deny"
    "#;

    fn package(name: &str, version: &str, license: Option<&str>, source: &str) -> Package {
        Package {
            name: name.to_owned(),
            version: version.to_owned(),
            license: license.map(str::to_owned),
            source: Some(source.to_owned()),
            manifest_path: "Cargo.toml".into(),
            targets: Vec::new(),
            dependencies: Vec::new(),
        }
    }

    fn findings(packages: &[Package]) -> Vec<Finding> {
        toml::from_str::<Policy>(POLICY).unwrap().findings(packages).unwrap()
    }

    fn licensed(license: &str) -> bool {
        findings(&[package("a", "1.0.0", Some(license), REGISTRY)]).is_empty()
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
        let found = findings(&[package("a", "1.0.0", None, REGISTRY)]);
        assert!(
            matches!(&found[..], [(Level::Deny, text)] if text.contains("states no licence")),
            "{found:?}"
        );
    }

    #[test]
    fn exceptions_hold_for_one_package() {
        let expression = Some("(MIT OR Apache-2.0) AND Unicode-3.0");
        assert_eq!(findings(&[package("names", "1.0.0", expression, REGISTRY)]), []);
        assert_eq!(findings(&[package("other", "1.0.0", expression, REGISTRY)]).len(), 1);
    }

    #[test]
    fn other_sources_and_banned_packages_are_errors() {
        let git = findings(&[package("a", "1.0.0", Some("MIT"), "git+https://example.org/a#1")]);
        assert!(matches!(&git[..], [(Level::Deny, text)] if text.contains("example.org")), "{git:?}");
        let banned = findings(&[package("openssl", "0.10.0", Some("MIT"), REGISTRY)]);
        assert!(matches!(&banned[..], [(Level::Deny, text)] if text.contains("a C library")), "{banned:?}");
    }

    #[test]
    fn two_versions_are_a_warning_unless_skipped() {
        let two = |name| ["1.9.0", "2.1.0"].map(|version| package(name, version, Some("MIT"), REGISTRY));
        let found = findings(&two("bitflags"));
        assert_eq!(found, [(Level::Warn, "bitflags is there in versions 1.9.0 and 2.1.0".to_owned())]);
        assert_eq!(findings(&two("syn")), []);
    }

    #[test]
    fn settings_that_are_not_understood_are_errors() {
        assert!(toml::from_str::<Policy>(&format!("{POLICY}\nallow-git = []")).is_err());
        assert!(toml::from_str::<Policy>(include_str!("../../deny.toml")).is_ok());
    }
}
