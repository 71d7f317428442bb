//! Tokens of a text file, with the line they stand on.

use moreau_files::Fault;

/// A place in a text.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
    line: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            position: 0,
            line: 1,
        }
    }

    /// The current line, for messages.
    pub(crate) fn place(&self) -> String {
        format!("line {}", self.line)
    }

    /// A bound on the number of tokens left: each takes a byte and a separator.
    pub(crate) fn tokens_at_most(&self) -> usize {
        (self.bytes.len() - self.position).div_ceil(2)
    }

    /// The next token, or nothing at the end of the text.
    pub(crate) fn token(&mut self) -> Option<&'a [u8]> {
        while let Some(&byte) = self.bytes.get(self.position) {
            if !byte.is_ascii_whitespace() {
                break;
            }
            self.line += usize::from(byte == b'\n');
            self.position += 1;
        }
        let rest = &self.bytes[self.position..];
        let length = rest
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(rest.len());
        self.position += length;
        (length > 0).then(|| &rest[..length])
    }

    /// The rest of the current line; the cursor moves to the next line.
    pub(crate) fn rest_of_line(&mut self, what: &str) -> Result<String, Fault> {
        let rest = &self.bytes[self.position..];
        if rest.is_empty() {
            return Err(self.ends_before(what));
        }
        let length = rest.iter().position(|&byte| byte == b'\n');
        let text = &rest[..length.unwrap_or(rest.len())];
        self.position += length.map_or(rest.len(), |length| length + 1);
        self.line += usize::from(length.is_some());
        Ok(shown(text, 200))
    }

    /// A token that must be there.
    fn required(&mut self, what: &str) -> Result<&'a [u8], Fault> {
        match self.token() {
            Some(token) => Ok(token),
            None => Err(self.ends_before(what)),
        }
    }

    fn ends_before(&self, what: &str) -> Fault {
        Fault::new(
            self.place(),
            format!("the file ends before {what}"),
            "a complete file: this one is cut short or announces more than it holds",
        )
    }

    /// An integer that may be negative.
    pub(crate) fn signed(&mut self, what: &str) -> Result<i64, Fault> {
        let token = self.required(what)?;
        let parsed = std::str::from_utf8(token).ok().and_then(|t| t.parse().ok());
        parsed.ok_or_else(|| {
            Fault::new(
                self.place(),
                format!("'{}' as {what}", shown(token, 40)),
                "an integer",
            )
        })
    }

    /// An integer from zero up.
    pub(crate) fn integer(&mut self, what: &str) -> Result<usize, Fault> {
        let value = self.signed(what)?;
        usize::try_from(value).map_err(|_| {
            Fault::new(
                self.place(),
                format!("{value} as {what}"),
                "zero or a positive integer",
            )
        })
    }

    /// An integer below a bound.
    pub(crate) fn index(&mut self, what: &str, bound: usize) -> Result<usize, Fault> {
        let value = self.integer(what)?;
        if value < bound {
            return Ok(value);
        }
        Err(Fault::new(
            self.place(),
            format!("{what} {value} is out of range"),
            format!("an index from 0, below {bound}"),
        ))
    }

    /// How many of something follow: refused when the rest of the text cannot hold as many.
    pub(crate) fn count(&mut self, what: &str) -> Result<usize, Fault> {
        let value = self.integer(what)?;
        self.check_room(value, what)?;
        Ok(value)
    }

    /// Refuses a number of values that the rest of the text cannot hold.
    pub(crate) fn check_room(&self, count: usize, what: &str) -> Result<(), Fault> {
        let most = self.tokens_at_most();
        if count <= most {
            return Ok(());
        }
        Err(Fault::new(
            self.place(),
            format!("{what}: {count} announced, more than the file holds"),
            format!("at most {most}, the values that fit in the rest of the file"),
        ))
    }

    /// A finite number.
    pub(crate) fn real(&mut self, what: &str) -> Result<f64, Fault> {
        let token = self.required(what)?;
        let parsed: Option<f64> = std::str::from_utf8(token).ok().and_then(|t| t.parse().ok());
        match parsed {
            Some(value) if value.is_finite() => Ok(value),
            _ => Err(Fault::new(
                self.place(),
                format!("'{}' in {what}", shown(token, 40)),
                "a finite number",
            )),
        }
    }

    /// A vector of numbers.
    pub(crate) fn reals(&mut self, count: usize, what: &str) -> Result<Vec<f64>, Fault> {
        self.check_room(count, what)?;
        (0..count).map(|_| self.real(what)).collect()
    }

    /// A word that must stand here.
    pub(crate) fn word(&mut self, word: &str) -> Result<(), Fault> {
        let token = self.required(&format!("'{word}'"))?;
        if token == word.as_bytes() {
            return Ok(());
        }
        Err(Fault::new(
            self.place(),
            format!("'{}'", shown(token, 40)),
            format!("'{word}'"),
        ))
    }
}

/// The beginning of a piece of text, fit for a message.
fn shown(token: &[u8], most: usize) -> String {
    String::from_utf8_lossy(&token[..token.len().min(most)]).into_owned()
}
