import { formatCheck } from '#lib/api/schema/formats.ts';
import {
  isQualifiedName,
  isValidLabelValue,
  nameIsDNS1035Label,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
} from '#lib/machinery/validation/names.ts';
import { declare, global, member } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { listType, objectType, optionalType, stringType, type Type } from '../types/type.ts';
import { listOf } from '../values/list.ts';
import { Opaque, Optional, type Value } from '../values/value.ts';
import { requestUriFault } from './url.ts';

/** The type of named formats. */
export const formatType: Type = objectType('kubernetes.NamedFormat');

/** A named format, such as `dns1123Label`, as a value. */
export class FormatValue extends Opaque {
  readonly type = formatType;
  readonly name: string;
  /** Returns the problems of a text; none for a valid one. */
  readonly validate: (text: string) => string[];
  /** The length of the format's pattern, for cost estimates. */
  readonly patternSize: number;

  constructor(name: string, patternSize: number, problemsOf: (text: string) => string[]) {
    super();
    this.name = name;
    this.patternSize = patternSize;
    this.validate = problemsOf;
  }

  equalTo(other: Value): boolean {
    return other instanceof FormatValue && other.name === this.name;
  }
}

function checked(format: string, message: string): (text: string) => string[] {
  const check = formatCheck(format);
  return (text) => (check === undefined || check(text) ? [] : [message]);
}

function uri(text: string): string[] {
  const fault = requestUriFault(text);
  return fault === undefined ? [] : [fault.message];
}

/** Formats by the name in `format.named`, which is also a function of `format`. */
const FORMATS: ReadonlyMap<string, FormatValue> = new Map([
  ['dns1123Label', new FormatValue('DNS1123Label', 30, (text) => nameIsDNSLabel(text, false))],
  ['dns1123Subdomain', new FormatValue('DNS1123Subdomain', 60, (text) => nameIsDNSSubdomain(text, false))],
  ['dns1035Label', new FormatValue('DNS1035Label', 30, (text) => nameIsDNS1035Label(text, false))],
  ['qualifiedName', new FormatValue('QualifiedName', 60, isQualifiedName)],
  ['dns1123LabelPrefix', new FormatValue('DNS1123LabelPrefix', 30, (text) => nameIsDNSLabel(text, true))],
  ['dns1123SubdomainPrefix', new FormatValue('DNS1123SubdomainPrefix', 60, (text) => nameIsDNSSubdomain(text, true))],
  ['dns1035LabelPrefix', new FormatValue('DNS1035LabelPrefix', 30, (text) => nameIsDNS1035Label(text, true))],
  ['labelValue', new FormatValue('LabelValue', 40, isValidLabelValue)],
  ['uri', new FormatValue('URI', 1103, uri)],
  ['uuid', new FormatValue('uuid', 70, checked('uuid', 'does not match the UUID format'))],
  ['byte', new FormatValue('byte', 84, checked('byte', 'invalid base64'))],
  ['date', new FormatValue('date', 71, checked('date', 'invalid date'))],
  ['datetime', new FormatValue('datetime', 71, checked('datetime', 'invalid datetime'))],
]);

function named(name: string): Optional {
  const format = FORMATS.get(name);
  return format === undefined ? Optional.none : Optional.of(format);
}

function validate(format: FormatValue, text: string): Optional {
  const messages = format.validate(text);
  return messages.length === 0 ? Optional.none : Optional.of(listOf(messages));
}

/** Kubernetes' named formats. */
export const formats: Library = {
  name: 'kubernetes.format',
  functions: [
    declare('format.named', global('format-named', [stringType], optionalType(formatType), named)),
    declare(
      'validate',
      member('format-validate', [formatType, stringType], optionalType(listType(stringType)), validate),
    ),
    ...[...FORMATS].map(([name, format]) =>
      declare(
        `format.${name}`,
        global(`format.${name}`, [], formatType, () => format),
      ),
    ),
  ],
};
