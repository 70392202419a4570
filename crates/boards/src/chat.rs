//! The lines of the chat of an online table.

/// A line of the chat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChatLine {
    /// The sender's seat; `None` in the lobby.
    pub seat: Option<u8>,
    /// The sender's public key.
    pub from: [u8; 32],
    /// The sender's display name.
    pub name: String,
    /// The text.
    pub text: String,
    /// Whether the player of this page sent it.
    pub mine: bool,
}

/// Removes all lines of the sender with this public key. `read` is the number of lines that were read, from the first
/// on, and is lowered by those of them that are removed: the other lines stay read or unread.
pub fn remove_sender(lines: &mut Vec<ChatLine>, read: &mut usize, from: &[u8; 32]) {
    let gone = lines.iter().take(*read).filter(|line| line.from == *from).count();
    *read -= gone;
    lines.retain(|line| line.from != *from);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a line of the sender with this number.
    fn line(sender: u8, text: String) -> ChatLine {
        ChatLine { seat: Some(sender), from: [sender; 32], name: "Sena".to_string(), text, mine: false }
    }

    #[test]
    fn muting_a_player_leaves_the_lines_of_others_read_or_unread() {
        // All sequences of five lines by three senders, with any number of them read.
        for code in 0..3_u32.pow(5) {
            let all: Vec<ChatLine> =
                (0..5).map(|i| line((code / 3_u32.pow(i) % 3) as u8, i.to_string())).collect();
            for was_read in 0..=all.len() {
                let (mut lines, mut read) = (all.clone(), was_read);
                remove_sender(&mut lines, &mut read, &[1; 32]);
                let unread: Vec<&ChatLine> = all[was_read..].iter().filter(|l| l.from != [1; 32]).collect();
                assert_eq!(lines[read..].iter().collect::<Vec<_>>(), unread, "{code}, {was_read}");
                assert!(lines.iter().all(|line| line.from != [1; 32]));
            }
        }
    }
}
