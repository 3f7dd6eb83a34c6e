import { declare, global } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { stringType } from '../types/type.ts';

const escapeKey = (key: string): string => key.replace(/[~/]/g, (c) => (c === '/' ? '~1' : '~0'));

/** A library only for mutating admission policies. */
export const jsonPatch: Library = {
  name: 'kubernetes.jsonpatch',
  functions: [
    declare('jsonpatch.escapeKey', global('string_jsonpatch_escapeKey_string', [stringType], stringType, escapeKey)),
  ],
};
