import { type StatusError, unclassified } from '#lib/machinery/errors.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { isObject, type Json, type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { newUid } from '#lib/machinery/random.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import { WebhookError } from '#lib/server/webhook/answer.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import type { ClientConfig } from '#lib/server/webhook/client-config.ts';
import { restoreMetadata } from './metadata.ts';
import { conversionReview, convertedObjects, ReviewError } from './review.ts';

/** Converts objects to another version, in order. Objects already in that version are returned unchanged. Throws StatusError. */
export type Converter = (objects: readonly JsonObject[], apiVersion: string) => Promise<JsonObject[]>;

/** The webhook of a definition and the client that calls it. */
export interface ConversionWebhook {
  readonly client: WebhookClient;
  readonly config: ClientConfig;
  readonly reviewVersions: readonly string[];
}

/** The limits of one call in objects and bytes. A larger single object is sent alone. */
const MAX_OBJECTS = 500;
const MAX_BYTES = 2 * 1024 * 1024;

/** Converts with a webhook: one call for all objects of one version, or several if there are many. */
export function webhookConverter(webhook: ConversionWebhook): Converter {
  return async (objects, apiVersion) => {
    const result = [...objects];
    for (const batch of batches(objects, apiVersion)) {
      const converted = await convertBatch(webhook, batch, apiVersion);
      for (const [i, { at }] of batch.entries()) result[at] = converted[i] as JsonObject;
    }
    return result;
  };
}

interface Item {
  readonly object: JsonObject;
  /** Its position among all objects. */
  readonly at: number;
}

const versionOf = (object: JsonObject): string => stringAt(object, 'apiVersion') ?? '';

function batches(objects: readonly JsonObject[], apiVersion: string): Item[][] {
  const byVersion = new Map<string, { items: Item[]; bytes: number }>();
  const full: Item[][] = [];
  for (const [at, object] of objects.entries()) {
    const version = versionOf(object);
    if (version === apiVersion) continue;
    const bytes = encodeJson(object).length;
    let open = byVersion.get(version);
    if (open !== undefined && (open.items.length === MAX_OBJECTS || open.bytes + bytes > MAX_BYTES)) {
      full.push(open.items);
      open = undefined;
    }
    if (open === undefined) byVersion.set(version, { items: [{ object, at }], bytes });
    else {
      open.items.push({ object, at });
      open.bytes += bytes;
    }
  }
  return [...full, ...[...byVersion.values()].map(({ items }) => items)];
}

async function convertBatch(webhook: ConversionWebhook, batch: readonly Item[], apiVersion: string) {
  const objects = batch.map(({ object }) => object);
  const subject = `conversion webhook for ${kindText(objects[0] as JsonObject)}`;
  const converted = await ask(webhook, objects, apiVersion, subject);
  if (converted.length !== objects.length) {
    throw unclassified(`${subject} returned ${converted.length} objects, expected ${objects.length}`);
  }
  return converted.map((value, i) =>
    accepted(objectOf(value, objects, { i, subject }), objects, { i, apiVersion, subject }),
  );
}

async function ask(
  { client, config, reviewVersions }: ConversionWebhook,
  objects: readonly JsonObject[],
  apiVersion: string,
  subject: string,
): Promise<Json[]> {
  const uid = newUid();
  const review = conversionReview(reviewVersions, { uid, objects: objects.map(unversioned), apiVersion });
  try {
    return convertedObjects(await client.call({ config, body: review }), review);
  } catch (error) {
    if (!(error instanceof WebhookError) && !(error instanceof ReviewError)) throw error;
    throw unclassified(`${subject} failed: ${error.message}`);
  }
}

/** Removes the resourceVersion of a stored object. It belongs to the storage, and webhooks do not see one. */
function unversioned(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  if (metadata === undefined || ownField(metadata, 'resourceVersion') === undefined) return object;
  const copy = { ...metadata };
  delete copy['resourceVersion'];
  return { ...object, metadata: copy };
}

/** Returns `group/version, Kind=kind`, as Go prints it. */
function kindText(object: JsonObject): string {
  const { group, version } = parseApiVersion(versionOf(object)) ?? { group: '', version: '' };
  return `${group}/${version}, Kind=${stringAt(object, 'kind') ?? ''}`;
}

/** Upstream does not name the webhook in the error for a single object. */
function objectOf(
  value: Json,
  objects: readonly JsonObject[],
  { i, subject }: Pick<Expected, 'i' | 'subject'>,
): JsonObject {
  if (isObject(value) && (stringAt(value, 'kind') ?? '') !== '') return value;
  const why = `Object 'Kind' is missing in '${encodeJson(value)}'`;
  throw unclassified(objects.length === 1 ? why : `${subject} returned invalid converted object at index ${i}: ${why}`);
}

interface Expected {
  readonly i: number;
  readonly apiVersion: string;
  readonly subject: string;
}

/** Returns the converted object with the metadata of the original. Throws if it is a different object, or not in the requested version. */
function accepted(
  object: JsonObject,
  originals: readonly JsonObject[],
  { i, apiVersion, subject }: Expected,
): JsonObject {
  const original = originals[i] as JsonObject;
  const isList = originals.length > 1;
  const refuse = (why: string): StatusError =>
    unclassified(`${subject} returned invalid ${isList ? 'converted ' : ''}object at index ${i}: ${why}`);
  if (versionOf(object) !== apiVersion) {
    throw refuse(`invalid groupVersion (expected ${apiVersion}, received ${versionOf(object)})`);
  }
  const [kind, given] = [stringAt(original, 'kind') ?? '', stringAt(object, 'kind') ?? ''];
  if (kind !== given) throw refuse(`invalid kind (expected ${kind}, received ${given})`);
  const restored = restoreMetadata(original, object);
  if ('object' in restored) return restored.object;
  const at = isList ? ` at index ${i}` : '';
  if (restored.about === 'metadata') {
    throw unclassified(`${subject} returned invalid metadata${isList ? ` in object${at}` : ''}: ${restored.problem}`);
  }
  throw unclassified(`${subject} returned invalid ${isList ? 'converted ' : ''}object${at}: ${restored.problem}`);
}
