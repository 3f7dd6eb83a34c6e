import { defined } from '#lib/machinery/defined.ts';
import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type Json, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { StoreError } from './errors.ts';
import type { Version } from './sequence.ts';

/** The lifetime in ms of a continue token. */
export const CONTINUE_LIFETIME = 5 * 60_000;
/** The version in a token that continues a list inconsistently at the current head. */
export const INCONSISTENT = -1;

const API_VERSION = 'meta.k8s.io/v1';
const FORMAT = 1;
const INVALID = 'continue key is not valid';
const BASE64_URL = /[^A-Za-z0-9_-]/;

/** Upstream's `storage.continueToken`: the position and version at which a list continues. */
export interface Continue {
  /** The version of the list, or INCONSISTENT. */
  readonly version: Version;
  /** The whole key after which to continue. */
  readonly afterKey: string;
  /** The wall time of issue. Absent in a token from another server. */
  readonly issuedAt?: number;
}

/** Creates the token for a list of `prefix`. `afterKey` must begin with it. */
export function encodeContinue(prefix: string, { version, afterKey, issuedAt }: Continue): string {
  const start = `${afterKey.slice(prefix.length)}\0`;
  const token = { v: API_VERSION, rv: version, start, ...(issuedAt === undefined ? {} : { t: issuedAt, f: FORMAT }) };
  return Buffer.from(encodeJson(token)).toString('base64url');
}

/** Decodes a client's token. Throws InvalidContinue with upstream's text, or UnknownFormat for a token from a newer program. */
export function decodeContinue(prefix: string, text: string): Continue {
  const token = parse(text);
  const apiVersion = stringAt(token, 'v') ?? '';
  if (apiVersion !== API_VERSION) {
    throw invalid(`: server does not recognize this encoded version ${apiVersion}`);
  }
  const version = ownField(token, 'rv') ?? 0;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version === 0 || version < INCONSISTENT) {
    throw invalid(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  }
  const start = stringAt(token, 'start') ?? '';
  if (start === '') throw invalid(': encoded start key empty (version meta.k8s.io/v1)');
  if (!isClean(start)) throw invalid(`: ${start}`);
  const issuedAt = issueTime(ownField(token, 't'), ownField(token, 'f'));
  const afterKey = prefix + (start.endsWith('\0') ? start.slice(0, -1) : start);
  return { version, afterKey, ...defined({ issuedAt }) };
}

function issueTime(time: Json | undefined, format: Json | undefined): number | undefined {
  if (time === undefined) return undefined;
  if (format !== FORMAT) throw new StoreError('UnknownFormat', 'the continue token is of an unknown format');
  if (typeof time !== 'number') throw invalid('');
  return time;
}

function parse(text: string) {
  const bad = illegalBase64(text);
  if (bad !== undefined) throw invalid(`: illegal base64 data at input byte ${bad}`);
  try {
    const { value } = decodeJson(Buffer.from(text, 'base64url'), { maxDepth: 4 });
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalid(`: ${error.message}`);
  }
  throw invalid(': the token is not an object');
}

/** The offset at which Go's decoder stops: the first illegal character, or an incomplete group that has only one character. */
function illegalBase64(text: string): number | undefined {
  const foreign = text.search(BASE64_URL);
  if (foreign >= 0) return foreign;
  return text.length % 4 === 1 ? text.length - 1 : undefined;
}

/** Whether Go's `path.Clean` would leave the path unchanged. */
function isClean(start: string): boolean {
  const path = start.startsWith('/') ? start.slice(1) : start;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

const invalid = (why: string): StoreError => new StoreError('InvalidContinue', INVALID + why);
