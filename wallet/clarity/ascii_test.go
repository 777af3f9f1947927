package clarity

import "unicode"

// asciiTable holds the characters of a string-ascii.
var asciiTable = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0, Hi: 0x7f, Stride: 1}}, LatinOffset: 1}
