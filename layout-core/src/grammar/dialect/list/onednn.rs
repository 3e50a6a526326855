//! oneDNN's format tags, canonical and aliases. Read by the list of known names; no code.
//! Source: `dnnl_format_tag_t` in oneDNN's `dnnl_types.h`.

/// Separated by white space.
pub(super) const NAMES: &str = "\
a ab abc abcd abcde abcdef abcdefg abcdefgh abcdefghi abcdefghij abcdefghijk abcdefghijkl ba acb bac bca cab \
cba abdc acbd acdb adbc adcb bacd bcda cdab cdba dcab abced abdec acbde acdeb adecb bacde bcdea cdeab cdeba \
decab abcdfe abdefc abdfce acbdef adefcb defcab abcdegf abcdefhg abcdefgih abcdefghji abcdefghikj \
abcdefghijlk Abc16a ABc16a16b ABc32a32b ABc4a4b aBc16b ABc16b16a Abc4a aBc32b aBc4b ABc4b16a4b ABc2b8a4b \
ABc16b16a4b ABc16b16a2b ABc4b4a ABc8a16b2a ABc8a8b ABc8a4b aBc8b ABc8b16a2b BAc8a16b2a ABc8b8a Abcd16a \
Abcd8a ABcd16a16b Abcd32a ABcd32a32b aBcd16b ABcd16b16a aBCd16b16c aBCd16c16b Abcd4a aBcd32b aBcd4b \
ABcd4b16a4b ABcd16b16a4b ABcd16b16a2b ABcd4b4a ABcd4a4b aBCd2c4b2c aBCd4b8c2b aBCd4c16b4c aBCd2c8b4c \
aBCd16c16b4c aBCd16c16b2c aBCd4c4b aBCd4b4c ABcd8a16b2a ABcd2b8a4b ABcd8a8b ABcd8a4b aBcd8b aBCd4c8b2c \
ABcd8b16a2b aBCd8b16c2b BAcd8a16b2a ABcd8b8a aBCd8b8c aBCd8b4c aBCd8c16b2c ABcde8a16b2a aCBd8b16c2b aBCd8c8b \
Abcde16a Abcde32a ABcde16a16b BAcde8a16b2a aBCd2b4c2b ABcde4b16a4b ABcde2b8a4b aBcde16b ABcde16b16a \
aBCde16b16c aBCde16c16b aBCde2c8b4c Abcde4a aBcde32b aBcde4b ABcde4b4a ABcde4a4b aBCde4b4c aBCde2c4b2c \
aBCde4b8c2b aBCde4c16b4c aBCde16c16b4c aBCde16c16b2c aBCde4c4b Abcde8a ABcde8a8b ABcde8a4b BAcde16b16a \
aBcde8b ABcde8b16a2b aBCde8b16c2b aBCde4c8b2c aCBde8b16c2b ABcde8b8a ABcde32a32b aBCde8b8c aBCde8b4c \
ABc4a8b8a4b ABcd4a8b8a4b ABcde4a8b8a4b BAc4b8a8b4a BAcd4b8a8b4a BAcde4b8a8b4a ABcd2a8b8a2b aBCd4b8c8b4c \
aBCde4b8c8b4c aBCde2b8c8b2c aBCde8c16b2c aBCde8c8b aBCde2b4c2b aBcdef16b aBCdef16b16c aBCdef16c16b \
aBCdef4c16b4c aBCdef2c8b4c aBCdef4c8b2c aBCdef2b4c2b aBcdef4b aBCdef4c4b aBCdef4b4c aBCdef2c4b2c \
aBCdef4b8c2b aBCdef8b8c aBCdef8b4c aBCdef8c16b2c aBCdef4b8c8b4c aBCdef8b16c2b aCBdef8b16c2b aBCdef8c8b \
aBdc16b aBdC16b2c aBdC16b4c aBdc4b aBdc8b aBdec16b aBdeC16b2c aBdeC16b4c aBdec32b aBdec4b aBdec8b aBdefc16b \
aBdefC16b2c aCBdef16c16b aBdefc4b aBdefc8b Abcdef16a Abcdef32a aBedc16b Acb16a AcB16a2b AcB16a4b Acb4a Acb8a \
aCBd16b16c aCBd16c16b aCBde16b16c aCBde16c16b Acdb16a AcdB16a2b AcdB16a4b Acdb32a Acdb4a Acdb8a Acdeb16a \
AcdeB16a2b Acdeb4a Acdeb8a Adcb16a BAc16a16b BAc16b16a BAcd16a16b BAcd16b16a aCBd4c8b8c4b aCBde4c8b8c4b \
aCBdef4c8b8c4b BAcde16a16b aCBdef16b16c ABc16b32a ABc16b64a ABc4b32a4b ABc4b64a4b ABc8b32a2b ABc8b64a2b \
AB16b16a AB16b32a AB16b64a AB8b16a2b AB8b32a2b AB8b64a2b AB4b16a4b AB4b32a4b AB4b64a4b AB16b16a4b ABcd16b32a \
ABcd16b64a ABcd4b32a4b ABcd4b64a4b ABcd8b32a2b ABcd8b64a2b ABcde4b32a4b ABcde4b64a4b ABcde16b16a4b \
ABcde16b16a2b ABcde16b32a ABcde16b64a ABcde8b32a2b ABcde8b64a2b aBCdef16c16b4c aBCdef16c16b2c AB32a32b8a4b \
AB8a4b AB32a32b8a2b AB8a2b abDc32d abDC32d4c abdEc32e abdEC32e2c abdEC32e4c aBdefC16b4c AcdeB16a4b \
ABcd16a16b2a ABc16a16b2a aBCd16b16c2b aBCde16b16c2b Acb32a AcB32a2b AcB32a4b Acb48a AcB48a2b AcB48a4b Acb64a \
AcB64a2b AcB64a4b cBa2b cBa4b aBdc32b aBdC32b2c aBdC32b4c aBdc48b aBdC48b2c aBdC48b4c aBdc64b aBdC64b2c \
aBdC64b4c adCb2c adCb4c AcdB32a2b AcdB32a4b Acdb48a AcdB48a2b AcdB48a4b Acdb64a AcdB64a2b AcdB64a4b cdBa2b \
cdBa4b aBdeC32b2c aBdeC32b4c aBdec48b aBdeC48b2c aBdeC48b4c aBdec64b aBdeC64b2c aBdeC64b4c adeCb2c adeCb4c \
Acdeb32a AcdeB32a2b AcdeB32a4b Acdeb48a AcdeB48a2b AcdeB48a4b Acdeb64a AcdeB64a2b AcdeB64a4b cdeBa2b cdeBa4b \
aBdefc32b aBdefC32b2c aBdefC32b4c aBdefc48b aBdefC48b2c aBdefC48b4c aBdefc64b aBdefC64b2c aBdefC64b4c \
adefCb2c adefCb4c AB16b32a4b AB16b48a4b AB16b64a4b AB16b16a2b AB16b32a2b AB16b48a2b AB16b64a2b ABc16b32a4b \
ABc16b48a4b ABc16b64a4b ABc16b32a2b ABc16b48a2b ABc16b64a2b ABcd16b32a4b ABcd16b48a4b ABcd16b64a4b \
ABcd16b32a2b ABcd16b48a2b ABcd16b64a2b ABcde16b32a4b ABcde16b48a4b ABcde16b64a4b ABcde16b32a2b ABcde16b48a2b \
ABcde16b64a2b ABc32a16b ABcd32a16b ABcde32a16b AB48a16b AB48a32b ABc40a16b ABc40a32b aBC48b16c aBC48b32c \
ABcd40a16b ABcd40a32b abCd32c abdCe32c abdCE32c2e BA16a16b2a BA16a32b2a BA16a48b2a BA16a64b2a BA16a16b4a \
BA16a32b4a BA16a48b4a BA16a64b4a ABcd8a2b aBdeC16c16b2c aBdeC16c16b4c aBdefC16c16b2c AcB16b16a2b AcB16b16a4b \
AcdB16b16a2b AcdB16b16a4b AcdeB16b16a2b aBdefC16c16b4c AcdeB16b16a4b AcB16b32a2b AcB16b32a4b AcB16b48a2b \
AcB16b48a4b AcB16b64a2b AcB16b64a4b aBdC16c16b2c aBdC16c16b4c aBdC16c32b2c aBdC16c32b4c aBdC16c48b2c \
aBdC16c48b4c aBdC16c64b2c aBdC16c64b4c AcdB16b32a2b AcdB16b32a4b AcdB16b48a2b AcdB16b48a4b AcdB16b64a2b \
AcdB16b64a4b aBdeC16c32b2c aBdeC16c32b4c aBdeC16c48b2c aBdeC16c48b4c aBdeC16c64b2c aBdeC16c64b4c \
AcdeB16b32a2b AcdeB16b32a4b AcdeB16b48a2b AcdeB16b48a4b AcdeB16b64a2b AcdeB16b64a4b aBdefC16c32b2c \
aBdefC16c32b4c aBdefC16c48b2c aBdefC16c48b4c aBdefC16c64b2c aBdefC16c64b4c decbA16a ABc4a2b ABc8a2b aBCd8b2c \
ABcde4a2b ABcde8a2b ABcde40a16b ABcde40a32b aBCde8b2c ABcde4a8b8a2b ABcd4a8b8a2b ABc4a8b8a2b aBCdef4b8c8b2c \
aBCde4b8c8b2c aBCd4b8c8b2c BAcde4b8a8b2a BAcd4b8a8b2a BAc4b8a8b2a aCBdef4c8b8c2b aCBde4c8b8c2b aCBd4c8b8c2b \
aBCdef8b2c AB32a16b AB32a32b BA4b8a8b2a BA4b8a8b4a aBC32b16c aBC32b32c aCB4c8b8c2b aCB4c8b8c4b ABcd4a2b \
ABc2b8a16b4a ABcd2b8a16b4a ABcde2b8a16b4a ABc2a8b16a4b ABc2a8b16a2b ABc2b32a8b ABcd2a8b16a4b ABcd2a8b16a2b \
aCBd2c8b16c2b ABcd2b32a8b aBCd2c8b16c2b ABcde2a8b16a4b ABcde2a8b16a2b aCBde2c8b16c2b ABcde2b32a8b \
aBC2b8c16b2c aBCd2b8c16b2c aBCde2b8c16b2c aBCdef2b8c16b2c BAcde2b8a16b4a BAcd2b8a16b4a BAc2b8a16b4a \
BAcde2b8a16b2a BAcd2b8a16b2a BAc2b8a16b2a aBCde2c8b16c2b aBCdef2c8b16c2b aCBdef2c8b16c2b aBCd2b8c16b4c \
aBCde2b8c16b4c BA4b8a16b2a BA4b8a16b4a aCB4c8b16c2b aCB4c8b16c4b BA16a16b BA16a32b BA16a48b BA16a64b \
aCB16c2b aCB16c4b BA16b2a BA16b4a aBC16b16c aBC16b32c AB16a16b AB16a32b ABcde16a16b2a aBCdef16b16c2b \
Acedb16a aBdfec16b abdEC64e2c abdEC64e4c aCB16b16c aCB16b32c aCB16b48c aCB16b64c aCB16b16c2b aCB16b32c2b \
aCB16b48c2b aCB16b64c2b aCB16b16c4b aCB16b32c4b aCB16b48c4b aCB16b64c4b abCd4c abCde4c abCdef4c abCde32c \
abCdef32c ABcd16a32b decbA8a aCdefB16b32c2b aCdefB16b32c4b aCdefB16b48c2b aCdefB16b48c4b aCdefB16b64c2b \
aCdefB16b64c4b BcdeA16a32b2a BcdeA16a32b4a BcdeA16a48b2a BcdeA16a48b4a BcdeA16a64b2a BcdeA16a64b4a aCdefb32c \
aCdefB32c2b aCdefB32c4b aCdefb48c aCdefB48c2b aCdefB48c4b aCdefb64c aCdefB64c2b aCdefB64c4b Bcdea32b \
BcdeA32b2a BcdeA32b4a Bcdea48b BcdeA48b2a BcdeA48b4a Bcdea64b BcdeA64b2a BcdeA64b4a Bca32b BcA32b2a BcA32b4a \
Bca48b BcA48b2a BcA48b4a Bca64b BcA64b2a BcA64b4a aCdb32c aCdB32c2b aCdB32c4b aCdb48c aCdB48c2b aCdB48c4b \
aCdb64c aCdB64c2b aCdB64c4b BcA16a16b2a BcA16a16b4a BcdA16a16b2a BcdA16a16b4a BcdeA16a16b2a BcdeA16a16b4a \
aCdB16b16c2b aCdB16b16c4b aCdeB16b16c2b aCdeB16b16c4b aCdefB16b16c2b aCdefB16b16c4b BcA16a32b2a BcA16a32b4a \
BcA16a48b2a BcA16a48b4a BcA16a64b2a BcA16a64b4a aCdB16b32c2b aCdB16b32c4b aCdB16b48c2b aCdB16b48c4b \
aCdB16b64c2b aCdB16b64c4b BcdA16a32b2a BcdA16a32b4a BcdA16a48b2a BcdA16a48b4a BcdA16a64b2a BcdA16a64b4a \
aCdeB16b32c2b aCdeB16b32c4b aCdeB16b48c2b aCdeB16b48c4b aCdeB16b64c2b aCdeB16b64c4b Bca16b BcA16b2a BcA16b4a \
Bcda16b BcdA16b2a BcdA16b4a Bcdea16b BcdeA16b2a BcdeA16b4a aCdb16c aCdB16c2b aCdB16c4b aCdeb16c aCdeB16c2b \
aCdeB16c4b aCdefb16c aCdefB16c2b aCdefB16c4b Bcda32b BcdA32b2a BcdA32b4a Bcda48b BcdA48b2a BcdA48b4a Bcda64b \
BcdA64b2a BcdA64b4a aCdeb32c aCdeB32c2b aCdeB32c4b aCdeb48c aCdeB48c2b aCdeB48c4b aCdeb64c aCdeB64c2b \
aCdeB64c4b Acb24a Acdb24a Acdeb24a aBdc24b aBdec24b aBdefc24b abDc16d abdEc16e abdCe16c AcB24a2b AcdB24a2b \
AcdeB24a2b aBdC24b2c aBdeC24b2c aBdefC24b2c AcB8a2b AcdB8a2b AcdeB8a2b aBdC8b2c aBdeC8b2c aBdefC8b2c AB8b32a \
ABc8b32a ABcd8b32a ABcde8b32a AB8b24a ABc8b24a ABcd8b24a ABcde8b24a AB8b16a ABc8b16a ABcd8b16a ABcde8b16a \
AB8b8a AB4b8a4b AB4b24a4b ABc4b8a4b ABc4b24a4b ABcd4b8a4b ABcd4b24a4b ABcde4b8a4b ABcde4b24a4b AB8b24a2b \
ABc8b24a2b ABcd8b24a2b ABcde8b24a2b AB8b8a2b ABc8b8a2b ABcd8b8a2b ABcde8b8a2b AcB24a4b AcdB24a4b AcdeB24a4b \
aBdC24b4c aBdeC24b4c aBdefC24b4c AcB8a4b AcdB8a4b AcdeB8a4b aBdC8b4c aBdeC8b4c aBdefC8b4c Bca8b BcA8b2a \
Bcda8b BcdA8b2a Bcdea8b BcdeA8b2a aCdb8c aCdB8c2b aCdeb8c aCdeB8c2b aCdefb8c aCdefB8c2b Bca24b BcA24b2a \
Bcda24b BcdA24b2a Bcdea24b BcdeA24b2a aCdb24c aCdB24c2b aCdeb24c aCdeB24c2b aCdefb24c aCdefB24c2b BcA8b4a \
BcdA8b4a BcdeA8b4a aCdB8c4b aCdeB8c4b aCdefB8c4b BcA24b4a BcdA24b4a BcdeA24b4a aCdB24c4b aCdeB24c4b \
aCdefB24c4b AB16b48a ABc16b48a ABcd16b48a ABcde16b48a ABc16a4b ABcd16a4b ABcde16a4b defcbA16a defcbA8a \
AcB16b64a AcdB16b64a AcdeB16b64a AcB16b48a AcdB16b48a AcdeB16b48a AcB16b32a AcdB16b32a AcdeB16b32a AcB16b16a \
AcdB16b16a AcdeB16b16a AcB8b32a AcdB8b32a AcdeB8b32a AcB8b24a AcdB8b24a AcdeB8b24a AcB8b16a AcdB8b16a \
AcdeB8b16a AcB8b8a AcdB8b8a AcdeB8b8a AcB8b64a2b AcdB8b64a2b AcdeB8b64a2b AcB8b32a2b AcdB8b32a2b \
AcdeB8b32a2b AcB8b24a2b AcdB8b24a2b AcdeB8b24a2b AcB8b16a2b AcdB8b16a2b AcdeB8b16a2b AcB8b8a2b AcdB8b8a2b \
AcdeB8b8a2b AcB4b64a4b AcdB4b64a4b AcdeB4b64a4b AcB4b32a4b AcdB4b32a4b AcdeB4b32a4b AcB4b24a4b AcdB4b24a4b \
AcdeB4b24a4b AcB4b16a4b AcdB4b16a4b AcdeB4b16a4b AcB4b8a4b AcdB4b8a4b AcdeB4b8a4b Ab4a Ab8a BA4b4a BA8b4a \
BA2a24b aCB2b24c BA2a8b aCB2b8c BA8a24b aCB8b24c BA8a16b aCB8b16c BA8a8b aCB8b8c bcad cabd dabc Ab32a \
aCBd8b8c aCBde8b8c BAc8a8b BAcd8a8b BAcde8a8b aCBdef8b8c abdEC16e4c abDC16d4c BA24b8a aCB24c8b abDC24d8c \
decbA4a defcbA4a abDC8d8c abDC16d8c aCB8c8b aCB16c8b BA8b8a BA16b8a AB2a4b aCBd4b4c aCBde4b4c aCBdef4b4c \
BAc4a4b BAcd4a4b BAcde4a4b BA12b8a aCB12c8b abDC12d8c BA4b8a aCB4c8b abDC4d8c Abc8a Abc32a aBcdef8b \
aBcdef32b x nc cn tn nt ncw nwc nchw nhwc chwn ncdhw ndhwc oi io oiw owi wio woi iwo oihw hwio hwoi ohwi \
ihwo iohw oidhw iodhw dhwio dhwoi odhwi idhwo goiw gowi wigo goihw gohwi hwigo giohw goidhw godhwi giodhw \
dhwigo tnc ntc ldnc ldigo ldgoi ldio ldoi ldgo ldOi16o ldOi32o ldOI16o4i ldOI32o4i ldIo32i ldgOi16o \
ldgOI16o4i ldgOi32o ldgOI32o2i ldgOI32o4i ldgOI64o2i ldgOI64o4i ldgIo16i ldgIo32i ldgIO32i2o nCdhw32c \
nCdhw16c nCdhw4c nCdhw8c nChw32c nChw16c nChw4c nChw8c nCw32c nCw16c nCw4c nCw8c NCw16n16c NCdhw16n16c \
NChw16n16c NCw32n16c NChw32n16c NChw16n32c NCdhw32n16c NCw32n32c NChw32n32c NCdhw32n32c OI16i16o OI16i32o \
OI16i48o OI16i64o OI8i8o2i OI8i16o2i OI8i24o2i OI8i32o2i OI8i64o2i OI4i8o4i OI4i16o4i OI4i24o4i OI4i32o4i \
OI4i64o4i OI16i16o4i OI8i32o OI8i24o OI8i16o OI8i8o IOw4o4i IOw8o8i IOw16o16i IOw16i16o OIw16i16o OwI16i16o \
OIw16i32o OwI16i32o OIw16i48o OwI16i48o OIw16i64o OwI16i64o OIw16o16i Oiw16o Oiw32o OIw4i8o4i OwI4i8o4i \
OIw4i16o4i OwI4i16o4i OIw4i24o4i OwI4i24o4i OIw4i32o4i OwI4i32o4i OIw4i64o4i OwI4i64o4i OIw2i8o4i \
OIw16i16o4i OIw16i16o2i OIw16o16i2o OIw4i4o OIw4o4i Oiw4o Oiw8o OIw8i8o2i OwI8i8o2i OIw8i16o2i OwI8i16o2i \
OIw8i24o2i OwI8i24o2i OIw8i32o2i OwI8i32o2i OIw8i64o2i OwI8i64o2i OIw8i8o OwI8i8o OIw8o16i2o IOw8o16i2o \
OIw8o8i OIw8o4i Owi16o OwI16o2i OwI16o4i Iwo8i IwO8i2o IwO8i4o Iwo16i IwO16i2o IwO16i4o Iwo24i IwO24i2o \
IwO24i4o Owi4o Owi8o OwI8o2i OIw8i32o OwI8i32o OIw8i24o OwI8i24o OIw8i16o OwI8i16o OwI8o4i IOhw16i16o \
IOhw4o4i IOhw8o8i IOhw16o16i Ohwi16o OhwI16o2i OhwI16o4i Ihwo8i IhwO8i2o IhwO8i4o Ihwo16i IhwO16i2o \
IhwO16i4o Ihwo24i IhwO24i2o IhwO24i4o Ohwi24o Ohwi32o Ohwi4o Ohwi8o OhwI8o2i OhwI8o4i OIhw16i16o OhwI16i16o \
OIhw16i32o OhwI16i32o OIhw16i48o OhwI16i48o OIhw16i64o OhwI16i64o OIhw16o16i Oihw16o Oihw32o OIhw4i8o4i \
OhwI4i8o4i OIhw4i16o4i OhwI4i16o4i OIhw4i24o4i OhwI4i24o4i OIhw4i32o4i OhwI4i32o4i OIhw4i64o4i OhwI4i64o4i \
OIhw16i16o4i OIhw16i16o2i OIhw16o16i2o OIhw4i4o OIhw4o4i Oihw4o Oihw8o OIhw8i8o2i OhwI8i8o2i OIhw8i16o2i \
OhwI8i16o2i OIhw8i32o2i OhwI8i32o2i OIhw8i24o2i OhwI8i24o2i OIhw8i64o2i OhwI8i64o2i OIhw8i8o OhwI8i8o \
OIhw8o16i2o OIhw2i8o4i IOhw8o16i2o OIhw8o8i OIhw8o4i Owhi16o OIhw8i32o OhwI8i32o OIhw8i24o OhwI8i24o \
OIhw8i16o OhwI8i16o Odhwi16o OdhwI16o2i OdhwI16o4i Idhwo8i IdhwO8i2o IdhwO8i4o Idhwo16i IdhwO16i2o \
IdhwO16i4o Idhwo24i IdhwO24i2o IdhwO24i4o Odhwi4o Odhwi8o OdhwI8o2i OdhwI8o4i Odwhi16o OIdhw16i16o \
OdhwI16i16o OIdhw16i32o OdhwI16i32o OIdhw16i48o OdhwI16i48o OIdhw16i64o OdhwI16i64o OIdhw16o16i Oidhw16o \
Oidhw32o OIdhw4i4o OIdhw4o4i Oidhw4o Oidhw8o OIdhw8i8o2i OdhwI8i8o2i OIdhw8i16o2i OdhwI8i16o2i OIdhw8i32o2i \
OdhwI8i32o2i OIdhw8i24o2i OdhwI8i24o2i OIdhw8i64o2i OdhwI8i64o2i OIdhw8i8o OdhwI8i8o OIdhw8o16i2o \
IOdhw8o16i2o OIdhw4i8o4i OdhwI4i8o4i OIdhw4i16o4i OdhwI4i16o4i OIdhw4i24o4i OdhwI4i24o4i OIdhw4i32o4i \
OdhwI4i32o4i OIdhw4i64o4i OdhwI4i64o4i OIdhw16i16o4i OIdhw16i16o2i OIdhw2i8o4i OIdhw8o8i OIdhw8o4i \
IOdhw16i16o OIdhw4o8i8o4i IOdhw4o4i IOdhw8o8i IOdhw16o16i OIdhw16o16i2o OIdhw8i32o OdhwI8i32o OIdhw8i24o \
OdhwI8i24o OIdhw8i16o OdhwI8i16o Goiw16g Goiw8g Goiw4g gIOw4o4i gIOw8o8i gIOw16o16i gIOw16i16o gOIw16i16o \
gOIw16o16i gOiw16o gOiw32o gOIw4i16o4i gOIw2i8o4i gOIw16i16o4i gOIw16i16o2i gOIw16o16i2o gOIw4i4o gOIw4o4i \
gOiw4o gOiw8o gOIw8i16o2i gOIw8i8o gOIw8o16i2o gIOw8o16i2o gOIw8o8i gOIw8o4i gOwi16o gOwI16o2i gOwI16o4i \
gIwo8i gIwO8i2o gIwO8i4o gIwo16i gIwO16i2o gIwO16i4o gIwo24i gIwO24i2o gIwO24i4o gOwi4o gOwi8o gOwI8o2i \
gOwI8o4i Goiw32g gOIw2i4o2i gOIw2o4i2o gOIw4i8o2i gOIw4o8i2o goIw4i goIw32i gIOhw16i16o gIOhw4o4i gIOhw8o8i \
gIOhw16o16i gOhwi16o gOhwI16o2i gOhwI16o4i gIhwo8i gIhwO8i2o gIhwO8i4o gIhwo16i gIhwO16i2o gIhwO16i4o \
gIhwo24i gIhwO24i2o gIhwO24i4o gOhwi32o gOhwi24o gOhwI24o2i gOhwI24o4i gOhwi4o gOhwi8o gOhwI8o2i gOhwI8o4i \
Goihw16g gOIhw16i16o gOIhw16o16i gOihw16o gOihw32o gOIhw2i8o4i gOIhw4i16o4i gOIhw16i16o4i gOIhw16i16o2i \
gOIhw16o16i2o gOIhw4i4o gOIhw4o4i gOihw4o gOihw8o Goihw8g Goihw4g gOIhw8i16o2i gOIhw8i8o gOIhw8o16i2o \
gIOhw8o16i2o gOIhw8o8i gOIhw8o4i Goihw32g gOwhi16o goIhw4i goIhw32i OIw4o8i8o4i OIhw4o8i8o4i IOw4i8o8i4o \
IOhw4i8o8i4o IOdhw4i8o8i4o OIhw2o8i8o2i gOIw4o8i8o4i gOIhw4o8i8o4i gOIdhw4o8i8o4i gIOw4i8o8i4o gIOhw4i8o8i4o \
gIOdhw4i8o8i4o gOIhw2o8i8o2i gOIhw2i4o2i gOIhw2o4i2o gOIhw4i8o2i gOIhw4o8i2o gIOdhw16i16o gIOdhw4o4i \
gIOdhw8o8i gIOdhw16o16i gOdhwi16o gOdhwI16o2i gOdhwI16o4i gIdhwo8i gIdhwO8i2o gIdhwO8i4o gIdhwo16i \
gIdhwO16i2o gIdhwO16i4o gIdhwo24i gIdhwO24i2o gIdhwO24i4o gOdhwi4o gOdhwi8o gOdhwI8o2i gOdhwI8o4i gOdwhi16o \
gOIdhw16i16o gOIdhw4i16o4i gOIdhw16i16o4i gOIdhw2i8o4i gOIdhw16i16o2i gOIdhw16o16i gOIdhw16o16i2o gOidhw16o \
gOidhw32o gOIdhw4i4o gOIdhw4o4i gOidhw4o gOidhw8o gOIdhw8i16o2i gOIdhw8i8o gOIdhw8o16i2o gIOdhw8o16i2o \
gOIdhw8o8i gOIdhw8o4i Goidhw16g Goidhw32g gOIdhw2i4o2i gOIdhw4i8o2i gOIdhw2o4i2o gOIdhw4o8i2o goIdhw4i \
goIdhw32i Owi24o OwI24o2i OwI24o4i Owi32o OwI32o2i OwI32o4i Owi48o OwI48o2i OwI48o4i Owi64o OwI64o2i \
OwI64o4i Iwo32i IwO32i2o IwO32i4o Iwo48i IwO48i2o IwO48i4o Iwo64i IwO64i2o IwO64i4o wIo2i wIo4i gOwi24o \
gOwI24o2i gOwI24o4i gOwi32o gOwI32o2i gOwI32o4i gOwi48o gOwI48o2i gOwI48o4i gOwi64o gOwI64o2i gOwI64o4i \
gIwo32i gIwO32i2o gIwO32i4o gIwo48i gIwO48i2o gIwO48i4o gIwo64i gIwO64i2o gIwO64i4o gwio gwIo2i gwIo4i \
OhwI24o OhwI24o2i OhwI24o4i OhwI32o OhwI32o2i OhwI32o4i Ohwi48o OhwI48o2i OhwI48o4i Ohwi64o OhwI64o2i \
OhwI64o4i Ihwo32i IhwO32i2o IhwO32i4o Ihwo48i IhwO48i2o IhwO48i4o Ihwo64i IhwO64i2o IhwO64i4o hwIo2i hwIo4i \
gOhwI24o gOhwI32o gOhwI32o2i gOhwI32o4i gOhwi48o gOhwI48o2i gOhwI48o4i gOhwi64o gOhwI64o2i gOhwI64o4i \
gIhwo32i gIhwO32i2o gIhwO32i4o gIhwo48i gIhwO48i2o gIhwO48i4o gIhwo64i gIhwO64i2o gIhwO64i4o ghwio ghwIo2i \
ghwIo4i Odhwi24o OdhwI24o2i OdhwI24o4i Odhwi32o OdhwI32o2i OdhwI32o4i Odhwi48o OdhwI48o2i OdhwI48o4i \
Odhwi64o OdhwI64o2i OdhwI64o4i Idhwo32i IdhwO32i2o IdhwO32i4o Idhwo48i IdhwO48i2o IdhwO48i4o Idhwo64i \
IdhwO64i2o IdhwO64i4o dhwIo2i dhwIo4i gOdhwi24o gOdhwI24o2i gOdhwI24o4i gOdhwi32o gOdhwI32o2i gOdhwI32o4i \
gOdhwi48o gOdhwI48o2i gOdhwI48o4i gOdhwi64o gOdhwI64o2i gOdhwI64o4i gIdhwo32i gIdhwO32i2o gIdhwO32i4o \
gIdhwo48i gIdhwO48i2o gIdhwO48i4o gIdhwo64i gIdhwO64i2o gIdhwO64i4o gdhwio gdhwIo2i gdhwIo4i OI16i32o4i \
OI16i48o4i OI16i64o4i OI16i16o2i OI16i32o2i OI16i48o2i OI16i64o2i OIw16i32o4i OIw16i48o4i OIw16i64o4i \
OIw16i32o2i OIw16i48o2i OIw16i64o2i OIhw16i32o4i OIhw16i48o4i OIhw16i64o4i OIhw16i32o2i OIhw16i48o2i \
OIhw16i64o2i OIdhw16i32o4i OIdhw16i48o4i OIdhw16i64o4i OIdhw16i32o2i OIdhw16i48o2i OIdhw16i64o2i OwI16i16o2i \
OwI16i16o4i OhwI16i16o2i OhwI16i16o4i OdhwI16i16o2i OdhwI16i16o4i IwO16o16i2o IwO16o16i4o IhwO16o16i2o \
IhwO16o16i4o IdhwO16o16i2o IdhwO16o16i4o gOwI16i16o2i gOwI16i16o4i gOhwI16i16o2i gOhwI16i16o4i \
gOdhwI16i16o2i gOdhwI16i16o4i gIwO16o16i2o gIwO16o16i4o gIhwO16o16i2o gIhwO16o16i4o gIdhwO16o16i2o \
gIdhwO16o16i4o OwI16i32o2i OwI16i32o4i OwI16i48o2i OwI16i48o4i OwI16i64o2i OwI16i64o4i IwO16o32i2o \
IwO16o32i4o IwO16o48i2o IwO16o48i4o IwO16o64i2o IwO16o64i4o gOwI16i32o2i gOwI16i32o4i gOwI16i48o2i \
gOwI16i48o4i gOwI16i64o2i gOwI16i64o4i gIwO16o32i2o gIwO16o32i4o gIwO16o48i2o gIwO16o48i4o gIwO16o64i2o \
gIwO16o64i4o OhwI16i32o2i OhwI16i32o4i OhwI16i48o2i OhwI16i48o4i OhwI16i64o2i OhwI16i64o4i IhwO16o32i2o \
IhwO16o32i4o IhwO16o48i2o IhwO16o48i4o IhwO16o64i2o IhwO16o64i4o gOhwI16i32o2i gOhwI16i32o4i gOhwI16i48o2i \
gOhwI16i48o4i gOhwI16i64o2i gOhwI16i64o4i gIhwO16o32i2o gIhwO16o32i4o gIhwO16o48i2o gIhwO16o48i4o \
gIhwO16o64i2o gIhwO16o64i4o OdhwI16i32o2i OdhwI16i32o4i OdhwI16i48o2i OdhwI16i48o4i OdhwI16i64o2i \
OdhwI16i64o4i IdhwO16o32i2o IdhwO16o32i4o IdhwO16o48i2o IdhwO16o48i4o IdhwO16o64i2o IdhwO16o64i4o \
gOdhwI16i32o2i gOdhwI16i32o4i gOdhwI16i48o2i gOdhwI16i48o4i gOdhwI16i64o2i gOdhwI16i64o4i gIdhwO16o32i2o \
gIdhwO16o32i4o gIdhwO16o48i2o gIdhwO16o48i4o gIdhwO16o64i2o gIdhwO16o64i4o hwioG16g hwioG8g hwioG4g \
dhwioG16g dhwioG8g dhwioG4g NCdhw40n16c NCw40n16c NChw40n16c NCw40n32c NChw40n32c NCdhw40n32c OIdhw4o8i8o2i \
OIhw4o8i8o2i OIw4o8i8o2i gOIdhw4o8i8o2i gOIhw4o8i8o2i gOIw4o8i8o2i IOdhw4i8o8i2o IOhw4i8o8i2o IOw4i8o8i2o \
gIOdhw4i8o8i2o gIOhw4i8o8i2o gIOw4i8o8i2o NCw2c32n8c NChw2c32n8c NCdhw2c32n8c OIw2i8o16i4o OIhw2i8o16i4o \
OIdhw2i8o16i4o OIw2o8i16o4i OIw2o8i16o2i IOw2i8o16i4o IOw2i8o16i2o OIhw2o8i16o4i OIhw2o8i16o2i IOhw2i8o16i4o \
IOhw2i8o16i2o OIdhw2o8i16o4i OIdhw2o8i16o2i IOdhw2i8o16i4o IOdhw2i8o16i2o gOIw2o8i16o2i gIOw2i8o16i2o \
gIOhw2i8o16i2o gIOdhw2i8o16i2o gOIhw2o8i16o2i gOIdhw2o8i16o2i gOIw2o8i16o4i gOIhw2o8i16o4i";
