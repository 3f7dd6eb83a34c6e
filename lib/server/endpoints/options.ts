import { defined } from '#lib/machinery/defined.ts';
import { badRequest, invalid } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid as invalidField,
  notSupported,
  required,
  tooLong,
} from '#lib/machinery/validation/field.ts';
import { isTrue } from '#lib/server/request/request-info.ts';

const META = 'meta.k8s.io';
/** The text that upstream prints with `%q` if an int does not parse. */
const parseIntError = (text: string): string => `strconv.ParseInt: parsing ${quote(text)}: invalid syntax`;

/** How unknown and duplicate fields are handled. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The CreateOptions, UpdateOptions and PatchOptions that a query can contain. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force?: boolean;
  /** The options as admission sees them. A patch has UpdateOptions. */
  readonly document: JsonObject;
}

type WriteKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/** Decodes and validates the options of a write. Throws 422 naming `kind`. */
export function writeOptions(query: URLSearchParams, kind: WriteKind, patchType?: string): WriteOptions {
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const force = boolean(query, 'force');
  const errors = [
    ...(kind === 'PatchOptions' ? patchErrors(patchType, fieldManager, force) : []),
    ...fieldManagerErrors(fieldManager),
    ...dryRunErrors(dryRun),
    ...fieldValidationErrors(fieldValidation),
  ];
  if (errors.length > 0) throw invalid({ group: META, kind }, '', errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    ...defined({ force }),
    document: {
      kind: kind === 'PatchOptions' ? 'UpdateOptions' : kind,
      apiVersion: 'meta.k8s.io/v1',
      ...(dryRun.length === 0 ? {} : { dryRun }),
      ...(fieldManager === '' ? {} : { fieldManager }),
      ...(fieldValidation === '' ? {} : { fieldValidation }),
    },
  };
}

function patchErrors(patchType: string | undefined, fieldManager: string, force: boolean | undefined): FieldError[] {
  const isApply = patchType?.startsWith('application/apply-patch') === true;
  if (!isApply) return force === undefined ? [] : [forbidden('force', 'may not be specified for non-apply patch')];
  return fieldManager === '' ? [required('fieldManager', 'is required for apply patch')] : [];
}

/** Upstream's ValidateFieldManager. */
export function fieldManagerErrors(fieldManager: string): FieldError[] {
  const errors = Buffer.byteLength(fieldManager) > 128 ? [tooLong('fieldManager', 128)] : [];
  let position = 0;
  for (const rune of fieldManager) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(rune)) {
      const code = (rune.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidField('fieldManager', fieldManager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(rune);
  }
  return errors;
}

/** Upstream's ValidateDryRun: `All` is the only value. */
export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])];
}

function fieldValidationErrors(value: string): FieldError[] {
  const known = ['', 'Ignore', 'Strict', 'Warn'];
  return known.includes(value) ? [] : [notSupported('fieldValidation', value, known)];
}

function boolean(query: URLSearchParams, key: string): boolean | undefined {
  return query.has(key) ? isTrue(query.get(key)) : undefined;
}

/** The resourceVersionMatch of a read. '' if unset. */
export type ResourceVersionMatch = '' | 'Exact' | 'NotOlderThan';

/** The query parameter of a watch that ends at a version. */
export const UNTIL = 'untilResourceVersion';

/** ListOptions, decoded and validated. Selectors are still text. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: ResourceVersionMatch;
  readonly timeoutSeconds: number | undefined;
  /** 0 for no limit. A list at any version is never paged. */
  readonly limit: number;
  readonly continueToken: string;
  readonly sendInitialEvents: boolean | undefined;
  /** `untilResourceVersion`, which upstream lacks: the watch ends once its client has seen every change up to this version. */
  readonly until: number | undefined;
}

/** Decodes and validates ListOptions. Throws 400 for options that do not parse, and 422 for invalid combinations. */
export function listOptions(query: URLSearchParams): ListOptions {
  const options: ListOptions = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    watch: boolean(query, 'watch') ?? false,
    allowWatchBookmarks: boolean(query, 'allowWatchBookmarks') ?? false,
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: (query.get('resourceVersionMatch') ?? '') as ResourceVersionMatch,
    timeoutSeconds: integer(query, 'timeoutSeconds'),
    limit: limitOf(query),
    continueToken: query.get('continue') ?? '',
    sendInitialEvents: boolean(query, 'sendInitialEvents'),
    until: integer(query, UNTIL),
  };
  const errors = options.watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalid({ group: META, kind: 'ListOptions' }, '', errors);
  return options;
}

function limitOf(query: URLSearchParams): number {
  const limit = Math.max(0, integer(query, 'limit') ?? 0);
  return query.get('resourceVersion') === '0' ? 0 : limit;
}

/** Returns an integer of the query. Throws 400 if it is not an integer. */
export function integer(query: URLSearchParams, key: string): number | undefined {
  const text = query.get(key);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(parseIntError(text));
  const value = BigInt(text.replace('+', ''));
  if (BigInt.asIntN(64, value) !== value)
    throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: value out of range`);
  return Number(value);
}

const MATCH = FieldPath.of('resourceVersionMatch');
const NO_VERSION = forbidden(MATCH, 'resourceVersionMatch is forbidden unless resourceVersion is provided');

function listErrors(options: ListOptions): FieldError[] {
  const { resourceVersionMatch: match, resourceVersion, continueToken, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') errors.push(NO_VERSION);
    if (continueToken !== '')
      errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbidden(MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined)
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

function watchErrors({ resourceVersionMatch: match, continueToken, sendInitialEvents }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbidden(MATCH, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== '' && sendInitialEvents === undefined) {
    errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  }
  if (match !== '' && match !== 'NotOlderThan') errors.push(notSupported(MATCH, match, ['NotOlderThan']));
  if (continueToken !== '') {
    errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  return errors;
}
