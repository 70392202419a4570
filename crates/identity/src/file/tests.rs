use super::*;
use data_encoding::BASE32_NOPAD;

fn key(seed: u8) -> IdentityKey {
    IdentityKey::from_bytes(blake3::derive_key("pentarchy identity tests", &[seed]))
}

/// The outcome without the key, which does not belong into a failure message.
fn read(text: &str, passphrase: Option<&str>) -> Result<[u8; 32], IdentityFileError> {
    IdentityFile::parse(text)?.open(passphrase).map(|key| *key.secret_bytes())
}

/// A line with these bytes and a right checksum.
fn line(bytes: &[u8]) -> String {
    let bytes = [bytes, &checksum(bytes)].concat();
    format!("{PREFIX}{}", BASE32_NOPAD.encode(&bytes))
}

#[test]
fn a_plain_identity_comes_back_from_line_and_file() {
    for seed in 0..50 {
        let key = key(seed);
        let file = IdentityFile::plain(&key);
        for text in [file.to_line(), file.to_text()] {
            let parsed = IdentityFile::parse(&text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(*parsed.public(), key.public());
            assert!(!parsed.is_encrypted());
            assert_eq!(read(&text, None), Ok(*key.secret_bytes()));
        }
    }
}

#[test]
fn an_encrypted_identity_opens_with_its_passphrase_only() {
    let key = key(1);
    let file =
        IdentityFile::encrypted(&key, "drei Wörter genügen", [5; 16]).unwrap_or_else(|e| panic!("{e}"));
    let text = file.to_text();
    assert!(IdentityFile::parse(&text).unwrap_or_else(|e| panic!("{e}")).is_encrypted());
    assert_eq!(read(&text, Some("drei Wörter genügen")), Ok(*key.secret_bytes()));
    assert_eq!(read(&text, Some("drei Worter genugen")), Err(IdentityFileError::WrongPassphrase));
    assert_eq!(read(&text, None), Err(IdentityFileError::PassphraseMissing));
    assert_eq!(read(&text, Some("")), Err(IdentityFileError::PassphraseMissing));
    let empty = IdentityFile::encrypted(&key, "", [5; 16]);
    assert_eq!(empty.err(), Some(IdentityFileError::EmptyPassphrase));
}

#[test]
fn an_encrypted_text_does_not_hold_the_secret() {
    let key = key(2);
    let file = IdentityFile::encrypted(&key, "secret", [5; 16]).unwrap_or_else(|e| panic!("{e}"));
    let bytes = BASE32_NOPAD.decode(&file.to_line().as_bytes()[PREFIX.len()..]).unwrap();
    assert!(!bytes.windows(8).any(|part| key.secret_bytes().windows(8).any(|secret| secret == part)));
}

#[test]
fn copying_may_change_case_spaces_and_line_ends() {
    let key = key(3);
    let text = IdentityFile::plain(&key).to_text().to_lowercase();
    let (head, letters) = text.split_at(text.len() - 60);
    for between in [" ", "\r\n", "\n  ", "\t"] {
        assert_eq!(read(&format!("\u{feff}\r\n{head}{between}{letters}"), None), Ok(*key.secret_bytes()));
    }
}

#[test]
fn every_wrong_letter_is_noticed() {
    let plain = IdentityFile::plain(&key(4)).to_line();
    let sealed = IdentityFile::encrypted(&key(4), "p", [1; 16]).unwrap_or_else(|e| panic!("{e}")).to_line();
    for text in [plain, sealed] {
        for at in PREFIX.len()..text.len() {
            let mut wrong = text.as_bytes().to_vec();
            wrong[at] = if wrong[at] == b'A' { b'B' } else { b'A' };
            let wrong = String::from_utf8(wrong).unwrap();
            assert_eq!(IdentityFile::parse(&wrong).err(), Some(IdentityFileError::Damaged), "letter {at}");
        }
        for end in PREFIX.len()..text.len() {
            let cut = &text[..end];
            assert_eq!(IdentityFile::parse(cut).err(), Some(IdentityFileError::Damaged), "cut at {end}");
        }
    }
}

#[test]
fn other_texts_are_told_apart_from_damaged_ones() {
    let long = "x".repeat(MAX_TEXT + 1);
    for text in
        ["", "hello", "# PENTARCHY-IDENTITY:AAAA", "https://example.org/#x", "PENTARCHY-IDENTITY", &long]
    {
        assert_eq!(IdentityFile::parse(text).err(), Some(IdentityFileError::NotAnIdentity));
    }
    for text in ["PENTARCHY-IDENTITY:", "PENTARCHY-IDENTITY:1", "PENTARCHY-IDENTITY:É"] {
        assert_eq!(IdentityFile::parse(text).err(), Some(IdentityFileError::Damaged), "{text}");
    }
}

#[test]
fn a_newer_version_is_named_and_an_unknown_kind_is_refused() {
    assert_eq!(IdentityFile::parse(&line(&[2, 9, 9])).err(), Some(IdentityFileError::UnknownVersion(2)));
    let body = [&[VERSION, 7][..], &key(5).public(), &[0; 32]].concat();
    assert_eq!(IdentityFile::parse(&line(&body)).err(), Some(IdentityFileError::Damaged));
}

/// A right checksum does not make a public key belong to a secret one.
#[test]
fn the_public_key_must_fit_the_secret_one() {
    let mixed = [&[VERSION, PLAIN][..], &key(6).public(), key(7).secret_bytes()].concat();
    assert_eq!(IdentityFile::parse(&line(&mixed)).err(), Some(IdentityFileError::Damaged));
    // Nor for an encrypted one: the public key is authenticated.
    let file = IdentityFile::encrypted(&key(6), "p", [1; 16]).unwrap_or_else(|e| panic!("{e}"));
    let Body::Encrypted { cost, salt, sealed } = &file.body else { panic!("it is encrypted") };
    let other = [sealed_head(&key(7).public(), *cost, salt), sealed.clone()].concat();
    assert_eq!(read(&line(&other), Some("p")), Err(IdentityFileError::WrongPassphrase));
    // Nor if the author of the file, who knows the passphrase, has sealed another secret key.
    let (head, secret) = (sealed_head(&key(7).public(), *cost, salt), key(6));
    let cipher = cost.cipher("p", salt).unwrap_or_else(|e| panic!("{e}"));
    let payload = Payload { msg: secret.secret_bytes(), aad: &head };
    let sealed = cipher.encrypt(&Nonce::default(), payload).unwrap();
    let mixed = line(&[head, sealed].concat());
    assert_eq!(read(&mixed, Some("p")), Err(IdentityFileError::Damaged));
}

#[test]
fn a_cost_that_would_stop_the_program_is_refused() {
    let costs = [
        Cost { memory_kib: u32::MAX, ..Cost::USUAL },
        Cost { passes: u32::MAX, ..Cost::USUAL },
        Cost { lanes: u8::MAX, ..Cost::USUAL },
    ];
    for cost in costs {
        let text = line(&[sealed_head(&key(8).public(), cost, &[1; 16]), vec![0; 48]].concat());
        assert_eq!(read(&text, Some("p")), Err(IdentityFileError::TooCostly));
    }
    // Parameters that Argon2 does not know.
    for cost in [
        Cost { memory_kib: 0, ..Cost::USUAL },
        Cost { passes: 0, ..Cost::USUAL },
        Cost { lanes: 0, ..Cost::USUAL },
    ] {
        let text = line(&[sealed_head(&key(8).public(), cost, &[1; 16]), vec![0; 48]].concat());
        assert_eq!(read(&text, Some("p")), Err(IdentityFileError::Damaged), "{cost:?}");
    }
}

/// Files of this version stay readable.
#[test]
fn a_stored_file_is_still_read() {
    assert_eq!(read(GOLDEN_PLAIN, None), Ok(*key(9).secret_bytes()));
    assert_eq!(read(GOLDEN_ENCRYPTED, Some("open sesame")), Ok(*key(9).secret_bytes()));
}

const GOLDEN_PLAIN: &str = "PENTARCHY-IDENTITY:AEAO2WFYDIQ7ZQVQI36HE34O3OV75ETR6RC4RC3TCXARRZ7TLM2KAPGBXOSFC5P6KKKEUOXFSAHAJSQM6GWJJGAOAVSMNCGUM27P2BKNLA7OBREV";
const GOLDEN_ENCRYPTED: &str = "PENTARCHY-IDENTITY:AEA62WFYDIQ7ZQVQI36HE34O3OV75ETR6RC4RC3TCXARRZ7TLM2KAPAAQAAAAAYAAAAACBYHA4DQOBYHA4DQOBYHA4DQOBZDEKGCRJ3FV5US5G2MAV4LUOSHCWECUHLAVVXSHJOC2GDSGOJCJEOIYLUEF22ANOACQTGKZV4R2NEIYXWMK4";
