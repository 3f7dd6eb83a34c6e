import { quote } from '#lib/machinery/go.ts';
import { type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import { entries, has, text, texts } from '#lib/machinery/unstructured.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import { admissionRequest } from '../cel/request.ts';
import type { Match } from '../matching/matcher.ts';
import type { VersionedObjects } from '../versioned.ts';

const GROUP = 'admission.k8s.io';
const KNOWN = ['v1', 'v1beta1'];

/** Returns the first of a webhook's versions that this server supports. */
export const reviewVersion = (versions: readonly string[]): string | undefined =>
  versions.find((version) => KNOWN.includes(version));

/** Returns an `AdmissionReview` with a request. */
export function admissionReview(
  { version, uid }: { readonly version: string; readonly uid: string },
  attributes: Attributes,
  match: Match,
  { object, oldObject }: VersionedObjects,
): JsonObject {
  const { dryRun, options, ...request } = admissionRequest(attributes, match);
  return {
    kind: 'AdmissionReview',
    apiVersion: `${GROUP}/${version}`,
    request: {
      uid,
      ...request,
      object: object ?? null,
      oldObject: oldObject ?? null,
      dryRun: dryRun ?? false,
      options: options ?? null,
    },
  };
}

/** The decision of a webhook. */
export interface ReviewResult {
  readonly allowed: boolean;
  readonly result: JsonObject | undefined;
  readonly warnings: readonly string[];
  readonly annotations: readonly (readonly [string, string])[];
  /** The patch in base64. '' if the webhook changes nothing. */
  readonly patch: string;
  readonly patchType: string;
}

/** A webhook's response is not a valid review, with upstream's message. */
export class ReviewError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ReviewError';
  }
}

/** Reads the response to the review of `uid`: upstream's VerifyAdmissionResponse. Throws ReviewError. */
export function readReview(review: JsonObject, version: string, uid: string, mutating: boolean): ReviewResult {
  const response = objectAt(review, 'response');
  if (response === undefined) throw new ReviewError('webhook response was absent');
  if (version === 'v1') checkV1(review, response, uid, mutating);
  const patch = mutating ? text(response, 'patch') : '';
  return {
    allowed: ownField(response, 'allowed') === true,
    result: objectAt(response, 'status'),
    warnings: texts(response, 'warnings'),
    annotations: entries(response, 'auditAnnotations'),
    patch,
    patchType: version === 'v1' ? text(response, 'patchType') : patch === '' ? '' : 'JSONPatch',
  };
}

function checkV1(review: JsonObject, response: JsonObject, uid: string, mutating: boolean): void {
  const given = text(response, 'uid');
  if (given !== uid) throw new ReviewError(`expected response.uid=${quote(uid)}, got ${quote(given)}`);
  const { group, version } = parseApiVersion(text(review, 'apiVersion')) ?? { group: '', version: '' };
  const kind = `${group}/${version}, Kind=${text(review, 'kind')}`;
  const wanted = `${GROUP}/v1, Kind=AdmissionReview`;
  if (kind !== wanted) throw new ReviewError(`expected webhook response of ${wanted}, got ${kind}`);
  const [patch, typed] = [text(response, 'patch') !== '', has(response, 'patchType')];
  const wrong = mutating ? patchFault(patch, typed, response) : validatingFault(patch, typed);
  if (wrong !== undefined) throw new ReviewError(wrong);
}

function patchFault(patch: boolean, typed: boolean, response: JsonObject): string | undefined {
  if (patch && !typed) return 'webhook returned response.patch but not response.patchType';
  if (!patch && typed) return 'webhook returned response.patchType but not response.patch';
  return typed && text(response, 'patchType') === '' ? 'webhook returned invalid response.patchType of ""' : undefined;
}

function validatingFault(patch: boolean, typed: boolean): string | undefined {
  if (patch) return 'validating webhook may not return response.patch';
  return typed ? 'validating webhook may not return response.patchType' : undefined;
}
