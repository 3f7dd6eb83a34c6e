import { objectAt, ownField, setField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, ensure, entries, has, text, unlessText } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, required, tooLong, type FieldError } from '#lib/machinery/validation/field.ts';
import { isConfigMapKey } from '#lib/machinery/validation/formats.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { checked } from '../shared/validate.ts';
import { MAX_DATA, base64Bytes, frozenErrors, nullsToEmpty } from './config-map.ts';
import { goJsonError } from './go-json-error.ts';
import { keyPairFault } from './key-pair.ts';

const DATA = FieldPath.of('data');
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';

/** What clients may write as text is kept as bytes: upstream's conversion of `stringData`. */
function mergeStringData(secret: JsonObject): void {
  const texts = entries(secret, 'stringData');
  if (texts.length > 0) {
    const data = ensure(secret, 'data');
    for (const [key, value] of texts) setField(data, key, Buffer.from(value).toString('base64'));
  }
  delete secret['stringData'];
}

type Check = (secret: JsonObject, data: JsonObject | undefined) => FieldError[];

const keyRequired = (data: JsonObject | undefined, key: string): FieldError[] =>
  has(data, key) ? [] : [required(DATA.key(key))];

/** A key whose value is a JSON object. */
const jsonAt =
  (key: string): Check =>
  (_secret, data) => {
    if (!has(data, key)) return [required(DATA.key(key))];
    const error = goJsonError(Buffer.from(text(data, key), 'base64'));
    return error === undefined ? [] : [invalid(DATA.key(key), '<secret contents redacted>', error)];
  };

const BY_TYPE: Readonly<Record<string, Check>> = {
  'kubernetes.io/service-account-token': (secret) => {
    const name = text(at(secret, 'metadata', 'annotations'), ACCOUNT_NAME);
    return name === '' ? [required(FieldPath.of('metadata', 'annotations').key(ACCOUNT_NAME))] : [];
  },
  'kubernetes.io/dockercfg': jsonAt('.dockercfg'),
  'kubernetes.io/dockerconfigjson': jsonAt('.dockerconfigjson'),
  'kubernetes.io/basic-auth': (_secret, data) => {
    const errors = [...keyRequired(data, 'username'), ...keyRequired(data, 'password')];
    return errors.length === 2 ? errors : [];
  },
  'kubernetes.io/ssh-auth': (_secret, data) =>
    text(data, 'ssh-privatekey') === '' ? [required(DATA.key('ssh-privatekey'))] : [],
  'kubernetes.io/tls': (_secret, data) => [...keyRequired(data, 'tls.crt'), ...keyRequired(data, 'tls.key')],
};

function validate(secret: JsonObject): FieldError[] {
  const data = entries(secret, 'data');
  const size = data.reduce((sum, [, value]) => sum + base64Bytes(value), 0);
  const type = text(secret, 'type');
  const check = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
  return [
    ...data.flatMap(([key]) => checked(key, DATA.key(key), isConfigMapKey)),
    ...(size > MAX_DATA ? [tooLong(DATA, MAX_DATA)] : []),
    ...(check?.(secret, objectAt(secret, 'data')) ?? []),
  ];
}

function validateUpdate(secret: JsonObject, old: JsonObject): FieldError[] {
  const type = text(secret, 'type');
  return [
    ...(type === text(old, 'type') ? [] : [invalid('type', type, IMMUTABLE)]),
    ...frozenErrors(secret, old, ['data']),
    ...validate(secret),
  ];
}

/** A certificate and a key that are no pair are kept all the same. */
function warnings(secret: JsonObject): string[] {
  if (text(secret, 'type') !== 'kubernetes.io/tls') return [];
  const bytes = (key: string): Buffer => Buffer.from(text(objectAt(secret, 'data'), key), 'base64');
  const fault = keyPairFault(bytes('tls.crt'), bytes('tls.key'));
  return fault === undefined ? [] : [fault];
}

/** Upstream's pkg/registry/core/secret. */
export const secretStrategy: KindStrategy = {
  default(secret) {
    unlessText(secret, 'type', 'Opaque');
    nullsToEmpty(secret, 'data');
    mergeStringData(secret);
  },
  prepareForUpdate(secret, old) {
    if (text(secret, 'type') === '') secret['type'] = ownField(old, 'type') ?? '';
  },
  validate,
  validateUpdate,
  warnings,
  selectableFields: (secret) => ({ type: text(secret, 'type') }),
};
