import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCheck } from './formats.ts';

describe('formats of arbitrary text', () => {
  const FORMATS =
    'uri email hostname ipv4 ipv6 cidr mac uuid isbn creditcard ssn hexcolor rgbcolor byte date duration datetime';

  test.each(FORMATS.split(' '))('checks the format %s of any text', (name) => {
    const check = formatCheck(name);
    const unit = fc.constantFrom(...'a A 1 0 . : / @ - % [ ] ( ) , " \\ é T Z + = h # '.split(' '), ' ');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (given) => {
        expect(typeof check?.(given)).toBe('boolean');
      }),
    );
  });
});
