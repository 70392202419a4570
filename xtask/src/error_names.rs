//! Part of the `words` check: the name of an error type ends in `Error`.

use crate::words::{Finding, SourceFile};

/// The paths by which sources name the trait of errors.
const ERROR_TRAITS: &[&str] = &["Error", "error::Error", "std::error::Error", "core::error::Error"];

/// Returns a finding for each type of a Rust source that is an error (it derives thiserror's `Error`, or the file
/// implements `Error` for it) and whose name does not end in `Error`, in the order of the lines. Games, tests and types
/// of restricted visibility count as well. Lines are read one by one: a `derive` and the head of an `impl` are found
/// only if they stand on one line each.
pub(crate) fn find(file: &SourceFile) -> Vec<Finding> {
    if !file.path.ends_with(".rs") {
        return Vec::new();
    }
    let mut derives_error = false;
    let mut found = Vec::new();
    for (i, line) in file.text.lines().enumerate() {
        let line = line.trim();
        derives_error |= line.strip_prefix("#[derive(").is_some_and(names_error);
        let defined = defined_type(line);
        let name = match defined {
            Some(name) if derives_error => Some(name),
            _ => implementor(line),
        };
        derives_error &= defined.is_none();
        found.extend(name.filter(|name| !name.ends_with("Error")).map(|name| Finding {
            place: format!("{}:{}", file.path, i + 1),
            message: format!("the name of the error type `{name}` does not end in `Error`"),
        }));
    }
    found
}

/// Returns whether the list of a `derive`, given from its first entry on, has the entry `Error`, with or without a
/// path. What follows the first closing bracket does not count.
fn names_error(list: &str) -> bool {
    let list = list.split(')').next().unwrap_or(list);
    list.split(',').any(|entry| entry.trim().rsplit("::").next() == Some("Error"))
}

/// Returns the name of the struct or enum that a line defines, whatever its visibility; `None` for other lines.
fn defined_type(line: &str) -> Option<&str> {
    let rest = match line.strip_prefix("pub(") {
        Some(rest) => rest.split_once(") ")?.1,
        None => line.strip_prefix("pub ").unwrap_or(line),
    };
    let rest = rest.strip_prefix("struct ").or_else(|| rest.strip_prefix("enum "))?;
    Some(leading_name(rest))
}

/// Returns the name, without its path, of the type for which a line implements one of [`ERROR_TRAITS`]; `None` for
/// other lines and other traits.
fn implementor(line: &str) -> Option<&str> {
    let (head, of) = line.strip_prefix("impl")?.split_once(" for ")?;
    let is_error = ERROR_TRAITS.contains(&head.rsplit(' ').next()?);
    let path = of.split(['<', ' ', '{']).next()?;
    is_error.then(|| leading_name(path.rsplit("::").next().unwrap_or(path)))
}

/// Returns the letters, digits and underscores that a text begins with; empty if there are none.
fn leading_name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    text.get(..end).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the numbers of the lines with a finding in a Rust file with this text, in order.
    fn lines(text: &str) -> Vec<usize> {
        let found = find(&SourceFile::new("crates/a/src/lib.rs", text));
        let numbers = found.iter().filter_map(|finding| finding.place.rsplit(':').next());
        numbers.map(|number| number.parse().unwrap()).collect()
    }

    #[test]
    fn a_derived_error_of_another_name_is_found_at_its_definition() {
        for derive in ["thiserror::Error", "Error", "Debug, thiserror::Error", "Error, Debug"] {
            for visibility in ["", "pub ", "pub(crate) "] {
                for kind in ["struct Refusal;", "enum Refusal<'a> {", "enum Refusal {"] {
                    let text =
                        format!("#[derive({derive})]\n/// Doc.\n#[error(\"no\")]\n{visibility}{kind}\n");
                    assert_eq!(lines(&text), [4], "{text}");
                    assert_eq!(lines(&text.replace("Refusal", "RefusalError")), [0; 0]);
                }
            }
        }
    }

    #[test]
    fn an_implemented_error_of_another_name_is_found() {
        for path in ["std::error::Error", "core::error::Error", "error::Error", "Error"] {
            for (head, name) in
                [("impl", "Refusal"), ("impl", "crate::Refusal"), ("impl<T: Debug>", "Refusal<T>")]
            {
                let text = format!("\n{head} {path} for {name} {{}}");
                assert_eq!(lines(&text), [2], "{text}");
                assert_eq!(lines(&text.replace("Refusal", "RefusalError")), [0; 0]);
            }
        }
    }

    #[test]
    fn other_types_and_other_files_are_not_found() {
        let text = "#[derive(Debug)]\nstruct A;\n#[derive(thiserror::Error)]\nstruct BError;\nstruct C;\n\
            impl From<BError> for A {}\nimpl ParseError for A {}\n#[derive(ErrorKind)]\nenum D {}";
        assert_eq!(lines(text), [0; 0]);
        let page = SourceFile::new("docs/a.md", "impl std::error::Error for A {}");
        assert!(find(&page).is_empty());
    }
}
