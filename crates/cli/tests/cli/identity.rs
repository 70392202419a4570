//! `pentarchy identity`: the identity of a device as a user meets it.

use crate::common::{Said, arg, folder, run};
use std::fs;
use std::path::Path;

/// Runs `pentarchy identity` with these arguments and this identity file, and returns what it said.
fn identity(file: &Path, args: &[&str]) -> Said {
    run(&[&["identity"], args, &["--identity", arg(file)]].concat())
}

/// Returns the short name of the identity in this file, as it is shown. Asserts that there is one.
fn name(file: &Path) -> String {
    let said = identity(file, &[]);
    assert_eq!(said.code, 0, "{}", said.err);
    said.out.lines().next().unwrap().to_owned()
}

#[test]
fn a_new_identity_is_private_shown_and_never_overwritten_silently() {
    let folder = folder("identity-new");
    let file = folder.join("deep/er/me");
    let said = identity(&file, &["show"]);
    assert!(said.code == 2 && said.err.contains("there is no identity in"), "{}", said.err);
    assert!(!file.exists(), "showing creates nothing");
    assert_eq!(identity(&file, &["new"]).code, 0);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let (first, text) = (name(&file), fs::read_to_string(&file).unwrap());
    assert_eq!(first.split('-').count(), 3, "{first}");
    let said = identity(&file, &["new"]);
    assert!(said.code == 2 && said.err.contains("already") && said.err.contains("--force"), "{}", said.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    // With --force it is replaced, and the old one is kept.
    let said = identity(&file, &["new", "--force"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert_ne!(name(&file), first);
    let backups = fs::read_dir(file.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let backups: Vec<_> = backups.filter(|path| arg(path).contains(".backup-")).collect();
    assert_eq!(backups.len(), 1);
    assert_eq!(fs::read_to_string(&backups[0]).unwrap(), text);
    assert!(said.out.contains(arg(&backups[0])), "{}", said.out);
    // The public key is what the file holds behind its version and kind.
    let text = fs::read_to_string(&file).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("PENTARCHY-IDENTITY:")).unwrap();
    let bytes = data_encoding::BASE32_NOPAD.decode(line.as_bytes()).unwrap();
    let key = data_encoding::HEXLOWER.encode(&bytes[2..34]);
    for args in [&[][..], &["show"]] {
        let said = identity(&file, args);
        assert!(said.out.lines().any(|line| line == format!("public key   {key}")), "{}", said.out);
    }
    // The picture.
    let picture = folder.join("me.svg");
    assert_eq!(identity(&file, &["show", "--picture", arg(&picture)]).code, 0);
    assert!(fs::read_to_string(&picture).unwrap().starts_with("<svg "));
}

#[test]
fn the_configuration_folder_and_the_variable_name_the_file() {
    let folder = folder("identity-config");
    let tool = |variable: &str, value: &Path| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pentarchy"));
        command.args(["identity", "new"]).env_remove("PENTARCHY_IDENTITY").env("HOME", folder.join("home"));
        command.env_remove("XDG_CONFIG_HOME").env(variable, value).output().unwrap()
    };
    assert!(tool("XDG_CONFIG_HOME", &folder.join("xdg")).status.success());
    assert!(tool("HOME", &folder.join("home")).status.success());
    assert!(tool("PENTARCHY_IDENTITY", &folder.join("own")).status.success());
    for file in ["xdg/pentarchy/identity", "home/.config/pentarchy/identity", "own"] {
        assert!(folder.join(file).is_file(), "{file}");
    }
}

#[test]
fn an_identity_moves_to_another_device_plain_or_encrypted() {
    let folder = folder("identity-move");
    let (mine, file, sealed) =
        (folder.join("mine"), folder.join("plain.identity"), folder.join("sealed.identity"));
    identity(&mine, &["new"]);
    assert_eq!(identity(&mine, &["export", arg(&file)]).code, 0);
    let (right, wrong) = (folder.join("right"), folder.join("wrong"));
    fs::write(&right, "correct horse\nsecond line").unwrap();
    fs::write(&wrong, "battery staple").unwrap();
    let said = identity(&mine, &["export", arg(&sealed), "--passphrase-file", arg(&right)]);
    assert!(said.code == 0 && said.out.contains("encrypted"), "{}{}", said.out, said.err);
    let said = identity(&mine, &["export", arg(&sealed)]);
    assert!(said.code == 2 && said.err.contains("exists already"), "{}", said.err);
    for (n, exported) in [&file, &sealed].into_iter().enumerate() {
        let other = folder.join(format!("other-{n}"));
        assert_eq!(identity(&other, &["import", arg(exported), "--passphrase-file", arg(&right)]).code, 0);
        assert_eq!(name(&other), name(&mine));
    }
    // A wrong passphrase, and none.
    let other = folder.join("other-2");
    let said = identity(&other, &["import", arg(&sealed), "--passphrase-file", arg(&wrong)]);
    assert!(said.code == 2 && said.err.contains("does not match"), "{}", said.err);
    assert!(!other.exists());
    // An identity that is there is replaced by force only, and not by one that cannot be opened.
    identity(&other, &["new"]);
    let (before, text) = (name(&other), fs::read_to_string(&other).unwrap());
    assert_eq!(identity(&other, &["import", arg(&file)]).code, 2);
    let said = identity(&other, &["import", arg(&sealed), "--passphrase-file", arg(&wrong), "--force"]);
    assert_eq!(said.code, 2);
    assert_eq!(fs::read_to_string(&other).unwrap(), text, "{before}");
    assert_eq!(identity(&other, &["import", arg(&file), "--force"]).code, 0);
    assert_eq!(name(&other), name(&mine));
}

#[test]
fn files_that_are_no_identity_are_told_apart_and_left_alone() {
    let folder = folder("identity-bad");
    let good = folder.join("good");
    identity(&good, &["new"]);
    let text = fs::read_to_string(&good).unwrap();
    let cut = &text[..text.len() - 9];
    for (content, why) in
        [("hello", "not a Pentarchy identity"), (cut, "damaged"), ("", "not a Pentarchy identity")]
    {
        let bad = folder.join("bad");
        fs::write(&bad, content).unwrap();
        let other = folder.join("other");
        let said = identity(&other, &["import", arg(&bad)]);
        assert!(said.code == 2 && said.err.contains(why) && said.err.contains(arg(&bad)), "{}", said.err);
        assert!(!other.exists());
        // As the identity of the device it stops whatever needs it, and stays as it is.
        for args in [&["show"][..], &["export", arg(&folder.join("x"))]] {
            let said = identity(&bad, args);
            assert!(said.code == 2 && said.err.contains(why), "{}", said.err);
        }
        let said = run(&[
            "host",
            "kuhn",
            "--port",
            "0",
            "--bot",
            "random",
            "--data",
            arg(&folder),
            "--identity",
            arg(&bad),
        ]);
        assert!(said.code == 2 && said.err.contains(why), "{}", said.err);
        assert_eq!(fs::read_to_string(&bad).unwrap(), content);
    }
    let said = identity(&folder.join("other"), &["import", arg(&folder.join("missing"))]);
    assert!(said.code == 2 && said.err.contains("no such file"), "{}", said.err);
}
