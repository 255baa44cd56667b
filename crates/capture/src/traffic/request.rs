//! What a client asks for, read from its messages.

use std::rc::Rc;

/// A message of a client that the server answers, in the order in which they were sent.
#[derive(Debug)]
pub(super) enum ClientRequest {
    /// Statements of the simple protocol.
    Query { text: Box<[u8]>, at_us: i64 },
    /// A statement is prepared.
    Parse { name: Box<[u8]>, text: Rc<[u8]>, types: Vec<u32> },
    /// A portal is made of a statement.
    Bind { portal: Box<[u8]>, statement: Box<[u8]>, values: BoundValues },
    /// A statement or portal is described.
    Describe { is_portal: bool, name: Box<[u8]> },
    /// A portal is executed.
    Execute { portal: Box<[u8]>, at_us: i64 },
    /// A statement or portal is closed.
    Close { is_portal: bool, name: Box<[u8]> },
    /// A function is called by the protocol's own message.
    FunctionCall,
    /// The end of a group of messages.
    Sync,
    /// The end of the client's data of a COPY.
    CopyEnd,
}

/// Values of parameters as they were sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct BoundValues {
    /// The value of each; `None` is NULL. The flag says that it is binary.
    pub(super) parameters: Vec<Option<(bool, Box<[u8]>)>>,
    /// Whether each column of the result is to be binary; one for all, or none, which is text.
    pub(super) result_formats: Vec<bool>,
}

impl BoundValues {
    /// Whether a column of the result is binary.
    pub(super) fn is_column_binary(&self, column: usize) -> bool {
        match self.result_formats.as_slice() {
            [] => false,
            [all] => *all,
            formats => formats.get(column).copied().unwrap_or(false),
        }
    }
}

/// Reads a message. `None`: one without an answer of its own (Flush, Terminate, data of COPY), or one that is not
/// understood.
pub(super) fn read_request(tag: u8, body: &[u8], at_us: i64) -> Option<ClientRequest> {
    let mut reader = BodyReader { rest: body };
    Some(match tag {
        b'Q' => ClientRequest::Query { text: reader.take_text()?.into(), at_us },
        b'P' => {
            let name = reader.take_text()?.into();
            let text = reader.take_text()?.into();
            let count = reader.take_u16()?;
            let mut types = Vec::with_capacity(count.into());
            for _ in 0..count {
                types.push(reader.take_u32()?);
            }
            ClientRequest::Parse { name, text, types }
        }
        b'B' => {
            let portal = reader.take_text()?.into();
            let statement = reader.take_text()?.into();
            ClientRequest::Bind { portal, statement, values: reader.take_values()? }
        }
        b'D' => ClientRequest::Describe { is_portal: reader.take_byte()? == b'P', name: reader.take_text()?.into() },
        b'C' => ClientRequest::Close { is_portal: reader.take_byte()? == b'P', name: reader.take_text()?.into() },
        b'E' => ClientRequest::Execute { portal: reader.take_text()?.into(), at_us },
        b'F' => ClientRequest::FunctionCall,
        b'S' => ClientRequest::Sync,
        b'c' | b'f' => ClientRequest::CopyEnd,
        _ => return None,
    })
}

/// A body that is read from its begin.
pub(super) struct BodyReader<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> BodyReader<'a> {
    pub(super) fn take_byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }

    pub(super) fn take_u16(&mut self) -> Option<u16> {
        let (bytes, rest) = self.rest.split_first_chunk::<2>()?;
        self.rest = rest;
        Some(u16::from_be_bytes(*bytes))
    }

    pub(super) fn take_u32(&mut self) -> Option<u32> {
        let (bytes, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        Some(u32::from_be_bytes(*bytes))
    }

    pub(super) fn take_i32(&mut self) -> Option<i32> {
        self.take_u32().map(u32::cast_signed)
    }

    pub(super) fn take_i64(&mut self) -> Option<i64> {
        let (bytes, rest) = self.rest.split_first_chunk::<8>()?;
        self.rest = rest;
        Some(i64::from_be_bytes(*bytes))
    }

    pub(super) fn take_bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(bytes)
    }

    /// A text that ends with a zero byte, without it.
    pub(super) fn take_text(&mut self) -> Option<&'a [u8]> {
        let end = memchr::memchr(0, self.rest)?;
        let text = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Some(text)
    }

    /// A length and so many bytes. The inner `None` is NULL.
    pub(super) fn take_value(&mut self) -> Option<Option<&'a [u8]>> {
        match self.take_i32()? {
            -1 => Some(None),
            length => self.take_bytes(usize::try_from(length).ok()?).map(Some),
        }
    }

    fn take_formats(&mut self) -> Option<Vec<bool>> {
        let count = self.take_u16()?;
        let mut formats = Vec::with_capacity(count.into());
        for _ in 0..count {
            formats.push(self.take_u16()? == 1);
        }
        Some(formats)
    }

    fn take_values(&mut self) -> Option<BoundValues> {
        let formats = self.take_formats()?;
        let count = usize::from(self.take_u16()?);
        let mut parameters = Vec::with_capacity(count);
        for place in 0..count {
            let is_binary = match formats.as_slice() {
                [] => false,
                [all] => *all,
                formats => *formats.get(place)?,
            };
            parameters.push(self.take_value()?.map(|value| (is_binary, value.into())));
        }
        Some(BoundValues { parameters, result_formats: self.take_formats()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bind_has_values_in_both_formats() {
        let body = b"p\0s\0\0\x02\0\0\0\x01\0\x02\0\0\0\x01x\xff\xff\xff\xff\0\x01\0\x01";
        let Some(ClientRequest::Bind { portal, statement, values }) = read_request(b'B', body, 0) else {
            panic!("it is a Bind")
        };
        assert_eq!((&*portal, &*statement), (&b"p"[..], &b"s"[..]));
        assert_eq!(values.parameters, [Some((false, Box::from(&b"x"[..]))), None]);
        assert!(values.is_column_binary(0) && values.is_column_binary(7));
        for length in 0..body.len() {
            assert!(read_request(b'B', &body[..length], 0).is_none(), "{length}");
        }
    }

    #[test]
    fn a_parse_has_types() {
        let Some(ClientRequest::Parse { types, text, .. }) = read_request(b'P', b"\0SELECT $1\0\0\x01\0\0\0\x17", 0)
        else {
            panic!("it is a Parse")
        };
        assert_eq!((&*text, types), (&b"SELECT $1"[..], vec![23]));
        assert!(read_request(b'P', b"\0SELECT\0\0\x01", 0).is_none());
    }
}
