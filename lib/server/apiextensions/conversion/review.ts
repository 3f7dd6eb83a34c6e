import { quote } from '#lib/machinery/go.ts';
import { arrayAt, type Json, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';

const GROUP = 'apiextensions.k8s.io';

/** The response to a review is not a review, with upstream's message. */
export class ReviewError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ReviewError';
  }
}

/** The objects of a ConversionReview and their target version. */
export interface ConversionRequest {
  readonly uid: string;
  readonly objects: readonly JsonObject[];
  readonly apiVersion: string;
}

/** Returns a ConversionReview in the first of the webhook's versions that this server supports. Throws ReviewError if it supports none. */
export function conversionReview(
  versions: readonly string[],
  { uid, objects, apiVersion }: ConversionRequest,
): JsonObject {
  const version = versions.find((name) => name === 'v1' || name === 'v1beta1');
  if (version === undefined) throw new ReviewError('no supported conversion review versions');
  return {
    kind: 'ConversionReview',
    apiVersion: `${GROUP}/${version}`,
    request: { uid, desiredAPIVersion: apiVersion, objects: [...objects] },
  };
}

/** Returns the objects in the response to a review, unchanged. Throws ReviewError. */
export function convertedObjects(answer: JsonObject, review: JsonObject): Json[] {
  checkKnown(answer);
  const response = objectAt(answer, 'response');
  const isV1 = stringAt(review, 'apiVersion') === `${GROUP}/v1`;
  if (isV1) checkKind(answer);
  if (response === undefined) throw new ReviewError('no response provided');
  if (isV1) checkUid(response, stringAt(objectAt(review, 'request'), 'uid') ?? '');
  const result = objectAt(response, 'result');
  const status = stringAt(result, 'status') ?? '';
  if (status !== 'Success') {
    const message = stringAt(result, 'message') ?? '';
    throw new ReviewError(message === '' ? `response.result.status was '${status}', not 'Success'` : message);
  }
  return arrayAt(response, 'convertedObjects');
}

/**
 * Throws ReviewError for a response that is unknown to upstream's scheme of reviews. A response without a kind counts as a
 * ConversionReview.
 */
function checkKnown(answer: JsonObject): void {
  const version = stringAt(answer, 'apiVersion') ?? '';
  const kind = stringAt(answer, 'kind') ?? '';
  if (kind === '' || kind === 'ConversionReview') return;
  if (kind === 'Status' && version === 'v1') {
    throw new ReviewError('converting (v1.Status) to (v1.ConversionReview): unknown conversion');
  }
  const scheme = 'k8s.io/apiserver/pkg/util/webhook/client.go:71';
  throw new ReviewError(
    `no kind ${quote(kind)} is registered for version ${quote(version)} in scheme ${quote(scheme)}`,
  );
}

function checkKind(answer: JsonObject): void {
  const { group, version } = parseApiVersion(stringAt(answer, 'apiVersion') ?? '') ?? { group: '', version: '' };
  const kind = stringAt(answer, 'kind') ?? '';
  if (group === GROUP && version === 'v1' && kind === 'ConversionReview') return;
  const got = `${group}/${version}, Kind=${kind}`;
  throw new ReviewError(`expected webhook response of ${GROUP}/v1, Kind=ConversionReview, got ${got}`);
}

function checkUid(response: JsonObject, expected: string): void {
  const uid = stringAt(response, 'uid') ?? '';
  if (uid !== expected) throw new ReviewError(`expected response.uid=${quote(expected)}, got ${quote(uid)}`);
}
