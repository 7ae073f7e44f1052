// The characters that JSON is made of, by UTF-16 code.

export const TAB = 9;
export const LINE_FEED = 10;
export const CARRIAGE_RETURN = 13;
export const SPACE = 32;
export const QUOTE = 34;
export const PLUS = 43;
export const COMMA = 44;
export const MINUS = 45;
export const POINT = 46;
export const ZERO = 48;
export const NINE = 57;
export const COLON = 58;
export const OPEN_ARRAY = 91;
export const BACKSLASH = 92;
export const CLOSE_ARRAY = 93;
export const LOWER_E = 101;
export const LOWER_U = 117;
export const OPEN_OBJECT = 123;
export const CLOSE_OBJECT = 125;
export const BYTE_ORDER_MARK = 0xfeff;
