import type { Secret } from '#lib/api/types/core.v1.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type Json, ownField, setField } from '#lib/machinery/json-value.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { type FieldError, FieldPath, invalid, required, tooLong } from '#lib/machinery/validation/field.ts';
import { isConfigMapKey } from '#lib/machinery/validation/formats.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { checked } from '../shared/validate.ts';
import { base64Bytes, frozenErrors, MAX_DATA, nullsToEmpty } from './config-map.ts';
import { keyPairFault } from './key-pair.ts';

const DATA = FieldPath.of('data');
const SSH_KEY = 'ssh-privatekey';
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';

/** Moves `stringData` to `data` as bytes, like upstream's conversion. */
function mergeStringData(secret: Secret): void {
  const texts = sortedEntries(secret.stringData);
  if (texts.length > 0) {
    const data = (secret.data ??= {});
    for (const [key, value] of texts) setField(data, key, Buffer.from(value).toString('base64'));
  }
  delete secret.stringData;
}

type Data = Secret['data'];
type Check = (secret: Secret, data: Data) => FieldError[];

const isSet = (data: Data, key: string): boolean => (ownField(data, key) ?? undefined) !== undefined;

const bytesAt = (data: Data, key: string): Buffer => Buffer.from(ownField(data, key) ?? '', 'base64');

const keyRequired = (data: Data, key: string): FieldError[] => (isSet(data, key) ? [] : [required(DATA.key(key))]);

/** Validates that the value of a key is a JSON object. */
const jsonAt =
  (key: string): Check =>
  (_secret, data) => {
    if (!isSet(data, key)) return [required(DATA.key(key))];
    const error = goJsonError(bytesAt(data, key));
    return error === undefined ? [] : [invalid(DATA.key(key), '<secret contents redacted>', error)];
  };

const BY_TYPE: Readonly<Record<string, Check>> = {
  'kubernetes.io/service-account-token': (secret) => {
    const name = ownField(secret.metadata.annotations, ACCOUNT_NAME) ?? '';
    return name === '' ? [required(FieldPath.of('metadata', 'annotations').key(ACCOUNT_NAME))] : [];
  },
  'kubernetes.io/dockercfg': jsonAt('.dockercfg'),
  'kubernetes.io/dockerconfigjson': jsonAt('.dockerconfigjson'),
  'kubernetes.io/basic-auth': (_secret, data) => {
    const errors = [...keyRequired(data, 'username'), ...keyRequired(data, 'password')];
    return errors.length === 2 ? errors : [];
  },
  'kubernetes.io/ssh-auth': (_secret, data) =>
    (ownField(data, SSH_KEY) ?? '') === '' ? [required(DATA.key(SSH_KEY))] : [],
  'kubernetes.io/tls': (_secret, data) => [...keyRequired(data, 'tls.crt'), ...keyRequired(data, 'tls.key')],
};

function validate(secret: Secret): FieldError[] {
  const data = sortedEntries(secret.data);
  const size = data.reduce((sum, [, value]) => sum + base64Bytes(value ?? ''), 0);
  const type = secret.type ?? '';
  const check = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
  return [
    ...data.flatMap(([key]) => checked(key, DATA.key(key), isConfigMapKey)),
    ...(size > MAX_DATA ? [tooLong(DATA, MAX_DATA)] : []),
    ...(check?.(secret, secret.data) ?? []),
  ];
}

function validateUpdate(secret: Secret, old: Secret): FieldError[] {
  const type = secret.type ?? '';
  return [
    ...(type === (old.type ?? '') ? [] : [invalid('type', type, IMMUTABLE)]),
    ...frozenErrors(secret, old),
    ...validate(secret),
  ];
}

/** Warns about a certificate and a key that do not match. The secret is still accepted. */
function warnings(secret: Secret): string[] {
  if ((secret.type ?? '') !== 'kubernetes.io/tls') return [];
  const fault = keyPairFault(bytesAt(secret.data, 'tls.crt'), bytesAt(secret.data, 'tls.key'));
  return fault === undefined ? [] : [fault];
}

/** Upstream's pkg/registry/core/secret. */
export const secretStrategy: KindStrategy<Secret> = {
  default(secret) {
    secret.type ||= 'Opaque';
    nullsToEmpty(secret.data);
    mergeStringData(secret);
  },
  prepareForUpdate(secret, old) {
    secret.type ||= old.type ?? '';
  },
  validate,
  validateUpdate,
  warnings,
  selectableFields: (secret) => ({ type: secret.type ?? '' }),
};

/** The error of encoding/json if the bytes are not a JSON object (or null). Undefined if they are. */
function goJsonError(bytes: Uint8Array): string | undefined {
  try {
    return typeError(decodeJson(bytes).value);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}

function typeError(value: Json): string | undefined {
  if (isObject(value) || value === null) return undefined;
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${kind === 'bigint' ? 'number' : kind} into Go value of type map[string]interface {}`;
}
