//! Arithmetic in scene files: `"2*radius"`, `"$friction"`, `"sqrt(2)/3"`.
//!
//! The operators `+ - * / ^` and parentheses, sin, cos, tan (of radians), sqrt, abs, the constant pi, and parameters, with or without a
//! dollar sign.

use crate::nearest::suggestion;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(f64),
    Bool(bool),
    /// The number is there if the text is an expression: see [`resolve`].
    Text {
        text: String,
        number: Option<f64>,
    },
}

/// Parameters by name.
pub(crate) type Values = BTreeMap<String, Value>;

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExpressionError {
    /// The byte of the expression.
    pub at: usize,
    pub message: String,
    pub help: Option<String>,
}

/// Parentheses and signs may be nested this deep.
const DEPTH: usize = 64;

const FUNCTIONS: [&str; 5] = ["sin", "cos", "tan", "sqrt", "abs"];

/// Parameters may be written in terms of others, in chains up to this long.
const CHAIN: usize = 16;

/// Finds the numbers of parameters that are expressions of other parameters. Each is evaluated once: a chain of
/// parameters that double one another costs no more than its length.
pub(crate) fn resolve(values: &mut Values) {
    for _ in 0..CHAIN {
        let mut found = Vec::new();
        for (name, value) in values.iter() {
            if let Value::Text { text, number: None } = value
                && let Ok(number) = evaluate(text, values)
            {
                found.push((name.clone(), number));
            }
        }
        if found.is_empty() {
            return;
        }
        for (name, result) in found {
            if let Some(Value::Text { number, .. }) = values.get_mut(&name) {
                *number = Some(result);
            }
        }
    }
}

/// The number that an expression stands for.
pub(crate) fn evaluate(text: &str, values: &Values) -> Result<f64, ExpressionError> {
    let mut reader = Reader {
        text,
        at: 0,
        values,
        depth: 0,
    };
    let number = reader.sum()?;
    if reader.peek().is_some() {
        return Err(reader.error("expected an operator or the end".into()));
    }
    Ok(number)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    values: &'a Values,
    depth: usize,
}

impl Reader<'_> {
    fn error(&self, message: String) -> ExpressionError {
        ExpressionError {
            at: self.at,
            message,
            help: None,
        }
    }

    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn accept(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn sum(&mut self) -> Result<f64, ExpressionError> {
        let mut value = self.product()?;
        loop {
            if self.accept('+') {
                value += self.product()?;
            } else if self.accept('-') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, ExpressionError> {
        let mut value = self.signed()?;
        loop {
            if self.accept('*') {
                value *= self.signed()?;
            } else if self.accept('/') {
                value /= self.signed()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn signed(&mut self) -> Result<f64, ExpressionError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error("nested too deeply".into()));
        }
        let value = if self.accept('-') {
            -self.signed()?
        } else if self.accept('+') {
            self.signed()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Binds to the right and tighter than a sign before it: -2^2 is -4, 2^-1 is 0.5.
    fn power(&mut self) -> Result<f64, ExpressionError> {
        let base = self.atom()?;
        if self.accept('^') {
            return Ok(base.powf(self.signed()?));
        }
        Ok(base)
    }

    fn atom(&mut self) -> Result<f64, ExpressionError> {
        match self.peek() {
            Some('(') => {
                self.accept('(');
                let value = self.sum()?;
                if !self.accept(')') {
                    return Err(self.error("expected ')'".into()));
                }
                Ok(value)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '$' || c == '_' => self.word(),
            Some(c) => Err(self.error(format!("expected a number or a name, found '{c}'"))),
            None => Err(self.error("expected a number or a name, found the end".into())),
        }
    }

    fn number(&mut self) -> Result<f64, ExpressionError> {
        let rest = &self.text[self.at..];
        let mut length = 0;
        let mut before = ' ';
        for c in rest.chars() {
            let sign_of_exponent = matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
            if !(c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '_') || sign_of_exponent) {
                break;
            }
            before = c;
            length += c.len_utf8();
        }
        let digits = &rest[..length];
        match digits.replace('_', "").parse() {
            Ok(number) => {
                self.at += length;
                Ok(number)
            }
            Err(_) => Err(self.error(format!("'{digits}' is not a number"))),
        }
    }

    fn word(&mut self) -> Result<f64, ExpressionError> {
        let begin = self.at;
        self.accept('$');
        let rest = &self.text[self.at..];
        let ends = |c: char| !(c.is_alphanumeric() || c == '_');
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += word.len();
        if let Some(value) = self.values.get(word) {
            let what = match value {
                Value::Number(number) => return Ok(*number),
                Value::Text {
                    number: Some(number),
                    ..
                } => return Ok(*number),
                Value::Bool(_) => "true or false".to_string(),
                Value::Text { text, .. } => format!("the text \"{text}\""),
            };
            return Err(ExpressionError {
                at: begin,
                message: format!("the parameter '{word}' is {what}, not a number"),
                help: None,
            });
        }
        if word == "pi" {
            return Ok(PI);
        }
        let function: Option<fn(f64) -> f64> = match word {
            "sin" => Some(f64::sin),
            "cos" => Some(f64::cos),
            "tan" => Some(f64::tan),
            "sqrt" => Some(f64::sqrt),
            "abs" => Some(f64::abs),
            _ => None,
        };
        let Some(function) = function else {
            let known: Vec<&str> = self
                .values
                .keys()
                .map(String::as_str)
                .chain(FUNCTIONS)
                .chain(["pi"])
                .collect();
            return Err(ExpressionError {
                at: begin,
                message: format!("there is no parameter '{word}'"),
                help: suggestion(word, &known),
            });
        };
        if !self.accept('(') {
            return Err(self.error(format!("expected '(' after {word}")));
        }
        let argument = self.sum()?;
        if !self.accept(')') {
            return Err(self.error("expected ')'".into()));
        }
        Ok(function(argument))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Values {
        let text = |text: &str| Value::Text {
            text: text.into(),
            number: None,
        };
        let mut values = BTreeMap::from([
            ("radius".into(), Value::Number(0.5)),
            ("twice".into(), text("2*radius")),
            ("again".into(), text("2*twice")),
            ("loop".into(), text("1 + loop")),
        ]);
        resolve(&mut values);
        values
    }

    #[test]
    fn arithmetic_follows_the_usual_rules() {
        let of = |text: &str| evaluate(text, &values()).unwrap();
        assert_eq!(of("1 + 2*3"), 7.0);
        assert_eq!(of("-2^2"), -4.0);
        assert_eq!(of("2^3^2"), 512.0);
        assert_eq!(of("(1+2)*3 - 4/8"), 8.5);
        assert_eq!(of("2*$radius"), 1.0);
        assert_eq!(of("twice + 1e-1"), 1.1);
        assert_eq!(of("again"), 2.0);
        assert_eq!(of("sqrt(4) * cos(0)"), 2.0);
        assert!((of("sin(pi/6)") - 0.5).abs() < 1e-15);
    }

    #[test]
    fn nonsense_is_refused_with_a_place() {
        let refused = |text: &str| evaluate(text, &values()).unwrap_err();
        assert_eq!(refused("1 + raduis").at, 4);
        assert_eq!(
            refused("raduis").help.as_deref(),
            Some("did you mean 'radius'?")
        );
        for text in ["", "1 +", "(1", "1 2", "sin 3", "1..2", "loop", "é"] {
            refused(text);
        }
        refused(&"(".repeat(100_000));
        refused(&"-".repeat(100_000));
    }
}
