import { decodeTyped } from '#lib/api/codec/decode.ts';
import { decodeDeleteOptions } from '#lib/api/codec/delete-options.ts';
import { DecodeError } from '#lib/api/codec/error.ts';
import { defined } from '#lib/machinery/defined.ts';
import { badRequest, StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import {
  arrayAt,
  hasNoField,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  ownField,
  stringAt,
} from '#lib/machinery/json-value.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import { type DeleteOptions, IGNORE_READ_ERROR, validateDeleteOptions } from '#lib/server/registry/rest/delete.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import { isTrue } from '#lib/server/request/request-info.ts';
import { MAX_VALUES } from '../body-bound.ts';
import { unknownMediaType } from '../negotiate.ts';
import { integer } from '../options.ts';
import { noMetaStruct } from '../recognize.ts';

/** The Go source position of upstream's scheme of options, which appears in error messages. */
const SCHEME_NAME = 'k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27';

/** The version in which upstream's audit log shows options from a body, whichever version the body named. */
const AUDITED_VERSION = 'meta.k8s.io/__internal';

/** Returns DeleteOptions from the body, or from the query if there is no body. Throws 400 and 422. */
export async function deleteOptions({
  request,
  audit,
}: Pick<RequestContext, 'request' | 'audit'>): Promise<DeleteOptions> {
  const bytes = await request.body();
  const options = bytes.length > 0 ? decodeOptions(bytes, request) : fromQuery(request.query);
  if (bytes.length > 0) audit?.requestObject({ ...deleteDocument(options), apiVersion: AUDITED_VERSION });
  validateDeleteOptions(options);
  return options;
}

/** Decodes the body. Converts any decoder's error to a 400. */
function decodeOptions(bytes: Uint8Array, request: ApiRequest): DeleteOptions {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const decoder = type === '' ? JSON_DECODER : DECODERS.get(type);
  if (decoder === undefined) throw unknownMediaType();
  const { decode, prefix } = decoder;
  try {
    return deleteOptionsFrom(decode(bytes));
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    throw badRequest(prefix + error.message);
  }
}

interface Decoder {
  readonly prefix: string;
  decode(bytes: Uint8Array): JsonObject;
}

const JSON_DECODER: Decoder = {
  prefix: "couldn't get version/kind; json parse error: ",
  decode: (bytes) => checked(decodeJson(bytes, { maxValues: MAX_VALUES, literals: true }).value),
};
const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['application/json', JSON_DECODER],
  [
    'application/yaml',
    { prefix: '', decode: (bytes: Uint8Array) => checked(decodeYaml(bytes, { maxValues: MAX_VALUES }).value) },
  ],
  ['application/vnd.kubernetes.protobuf', { prefix: '', decode: decodeDeleteOptions }],
]);

function checked(value: Json): JsonObject {
  if (value === null) return {};
  if (!isObject(value)) throw new TypeError(noMetaStruct(value));
  const kind = stringAt(value, 'kind') ?? '';
  if (kind === '' || kind === 'DeleteOptions') return typed(value);
  const version = quote(stringAt(value, 'apiVersion') ?? '');
  throw badRequest(`no kind ${quote(kind)} is registered for version ${version} in scheme ${quote(SCHEME_NAME)}`);
}

/** Rejects a field of a wrong type instead of treating it as absent: it might have prevented a deletion. */
function typed(value: JsonObject): JsonObject {
  try {
    return decodeTyped({ group: '', version: 'v1', kind: 'DeleteOptions' }, value).object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(error.message);
  }
}

/** Reads decoded DeleteOptions. Leaves absent fields out. */
export function deleteOptionsFrom(value: JsonObject): DeleteOptions {
  const grace = seconds(ownField(value, 'gracePeriodSeconds'));
  const policy = stringAt(value, 'propagationPolicy');
  const orphan = ownField(value, 'orphanDependents');
  const given = objectAt(value, 'preconditions');
  return {
    dryRun: arrayAt(value, 'dryRun').filter((item) => typeof item === 'string'),
    ...defined({ gracePeriodSeconds: grace, propagationPolicy: policy }),
    ...(typeof orphan === 'boolean' ? { orphanDependents: orphan } : {}),
    ...(given === undefined ? {} : { preconditions: preconditions(given) }),
    ...(ownField(value, IGNORE_READ_ERROR) === true ? { ignoreStoreReadError: true } : {}),
  };
}

/** Returns the options as admission sees them. */
export function deleteDocument({ gracePeriodSeconds, dryRun, ...given }: DeleteOptions): JsonObject {
  const { propagationPolicy, orphanDependents, preconditions: conditions } = given;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...defined({ gracePeriodSeconds }),
    ...(conditions === undefined ? {} : { preconditions: { ...conditions } }),
    ...defined({ orphanDependents, propagationPolicy }),
    ...(dryRun.length === 0 ? {} : { dryRun: [...dryRun] }),
    ...(given.ignoreStoreReadError === true ? { [IGNORE_READ_ERROR]: true } : {}),
  };
}

function seconds(value: Json | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return Number(value);
  throw new TypeError(
    `json: cannot unmarshal ${typeof value === 'object' ? 'object' : typeof value} into Go struct field DeleteOptions.gracePeriodSeconds of type int64`,
  );
}

function preconditions(given: JsonObject): NonNullable<DeleteOptions['preconditions']> {
  const uid = stringAt(given, 'uid');
  const resourceVersion = stringAt(given, 'resourceVersion');
  return defined({ uid, resourceVersion });
}

function fromQuery(query: URLSearchParams): DeleteOptions {
  const grace = integer(query, 'gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  const orphan = query.get('orphanDependents');
  const conditions = preconditions({
    ...(query.get('uid') ? { uid: query.get('uid') } : {}),
    ...(query.get('resourceVersion') ? { resourceVersion: query.get('resourceVersion') } : {}),
  });
  return {
    dryRun: query.getAll('dryRun'),
    ...defined({ gracePeriodSeconds: grace }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(orphan === null ? {} : { orphanDependents: isTrue(orphan) }),
    ...(hasNoField(conditions) ? {} : { preconditions: conditions }),
    ...(isTrue(query.get(IGNORE_READ_ERROR) ?? 'false') ? { ignoreStoreReadError: true } : {}),
  };
}
