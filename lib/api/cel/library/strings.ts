import { declare, global, member } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { dynType, intType, listType, stringType } from '../types/type.ts';
import { listOf } from '../values/list.ts';
import type { ListValue } from '../values/value.ts';
import { formatString } from './format-string.ts';
import { formatValidator } from './format-validator.ts';
import {
  charAt,
  indexOf,
  join,
  lastIndexOf,
  lowerAscii,
  quoteString,
  replace,
  split,
  substring,
  trim,
  upperAscii,
} from './string-functions.ts';

const text = stringType;
const texts = listType(stringType);

/** cel-go's strings extension, version 2. */
export const strings: Library = {
  name: 'cel.lib.ext.strings',
  validators: [formatValidator],
  functions: [
    declare('charAt', member('string_char_at_int', [text, intType], text, charAt)),
    declare(
      'indexOf',
      member('string_index_of_string', [text, text], intType, (s: string, part: string) => indexOf(s, part)),
      member('string_index_of_string_int', [text, text, intType], intType, (s: string, part: string, from: bigint) =>
        indexOf(s, part, from),
      ),
    ),
    declare(
      'lastIndexOf',
      member('string_last_index_of_string', [text, text], intType, (s: string, part: string) => lastIndexOf(s, part)),
      member(
        'string_last_index_of_string_int',
        [text, text, intType],
        intType,
        (s: string, part: string, from: bigint) => lastIndexOf(s, part, from),
      ),
    ),
    declare('lowerAscii', member('string_lower_ascii', [text], text, lowerAscii)),
    declare(
      'replace',
      member('string_replace_string_string', [text, text, text], text, (s: string, old: string, by: string) =>
        replace(s, old, by),
      ),
      member(
        'string_replace_string_string_int',
        [text, text, text, intType],
        text,
        (s: string, old: string, by: string, count: bigint) => replace(s, old, by, count),
      ),
    ),
    declare(
      'split',
      member('string_split_string', [text, text], texts, (s: string, by: string) => listOf(split(s, by))),
      member('string_split_string_int', [text, text, intType], texts, (s: string, by: string, count: bigint) =>
        listOf(split(s, by, count)),
      ),
    ),
    declare(
      'substring',
      member('string_substring_int', [text, intType], text, (s: string, start: bigint) => substring(s, start)),
      member('string_substring_int_int', [text, intType, intType], text, (s: string, start: bigint, end: bigint) =>
        substring(s, start, end),
      ),
    ),
    declare('trim', member('string_trim', [text], text, trim)),
    declare('upperAscii', member('string_upper_ascii', [text], text, upperAscii)),
    declare('format', member('string_format', [text, listType(dynType)], text, formatString)),
    declare('strings.quote', global('strings_quote', [text], text, quoteString)),
    declare(
      'join',
      member('list_join', [texts], text, (list: ListValue) => join(list, '')),
      member('list_join_string', [texts, text], text, join),
    ),
  ],
};
