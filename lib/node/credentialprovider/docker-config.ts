import { canonicalBase64 } from '#lib/api/codec/base64.ts';
import { jsonKind } from '#lib/machinery/go-values.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, type Json } from '#lib/machinery/json-value.ts';

/** The credentials of one registry. */
export interface DockerConfigEntry {
  readonly username: string;
  readonly password: string;
  readonly email: string;
}

/** The credentials by registry: a host with optional port and path. The host's labels may contain `*`. */
export type DockerConfig = ReadonlyMap<string, DockerConfigEntry>;

/** The maximum number of values in a configuration. */
const MAX_VALUES = 100_000;

/** Parses a `config.json` or a Secret's `.dockerconfigjson`. Throws an Error whose message contains no value. */
export function readDockerConfigJson(bytes: Uint8Array): DockerConfig {
  const value = decoded(bytes, 'DockerConfigJSON');
  return value === undefined ? new Map() : entriesOf(value.get('auths') ?? null);
}

/** Parses a `.dockercfg`. Throws an Error whose message contains no value. */
export const readDockerConfig = (bytes: Uint8Array): DockerConfig =>
  entriesOf(decodeJson(bytes, { maxValues: MAX_VALUES }).value);

/** The fields of a JSON object as Go's encoding/json matches them for a struct: case-insensitively, and the last one wins. */
function fieldsOf(value: Json, type: string): ReadonlyMap<string, Json> | undefined {
  if (value === null) return undefined;
  if (!isObject(value)) throw wrongType(value, type);
  return new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]));
}

const decoded = (bytes: Uint8Array, type: string): ReadonlyMap<string, Json> | undefined =>
  fieldsOf(decodeJson(bytes, { maxValues: MAX_VALUES }).value, type);

const wrongType = (value: Json, type: string): Error =>
  new Error(`json: cannot unmarshal ${jsonKind(value)} into Go value of type credentialprovider.${type}`);

function entriesOf(value: Json): DockerConfig {
  if (value === null) return new Map();
  if (!isObject(value)) throw wrongType(value, 'DockerConfig');
  return new Map(Object.entries(value).map(([registry, entry]) => [registry, entryOf(entry)]));
}

function entryOf(value: Json): DockerConfigEntry {
  const fields = fieldsOf(value, 'dockerConfigEntryWithAuth');
  const text = (name: string): string => {
    const field = fields?.get(name) ?? '';
    if (typeof field !== 'string') throw wrongType(field, `dockerConfigEntryWithAuth.${name}`);
    return field;
  };
  const [username, password, email, auth] = [text('username'), text('password'), text('email'), text('auth')];
  return auth === '' ? { username, password, email } : { ...decodeAuth(auth), email };
}

/** Decodes `auth`: base64 of `username:password`, with or without padding. */
function decodeAuth(auth: string): { readonly username: string; readonly password: string } {
  const padded = auth.trim().endsWith('=') ? auth : auth + '='.repeat(-auth.replace(/[\r\n]/g, '').length & 3);
  const text = Buffer.from(canonicalBase64(padded), 'base64').toString();
  const colon = text.indexOf(':');
  if (colon === -1) throw new Error('unable to parse auth field, must be formatted as base64(username:password)');
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
