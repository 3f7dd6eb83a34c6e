import { typedObject } from '#lib/api/typed.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import { discover, preferred, type ServedResource } from '#lib/client/discovery.ts';
import { ignore } from '#lib/client/ignore.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { finalizersOf, isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { podGrace, type Remaining, type Sweep } from './decide.ts';

/** A namespace to empty. */
export interface SweepRequest {
  readonly client: Client;
  readonly namespace: string;
  /** Checks, after objects were listed and before they are deleted, that they may be deleted. */
  mayDelete(): Promise<boolean>;
}

/** The number of concurrent requests. */
const AT_ONCE = 16;
const isPods = ({ group, resource }: GroupVersionResource): boolean => group === '' && resource === 'pods';

/**
 * Deletes the content of a namespace, for every resource in discovery. It deletes pods first, and the rest when no pod is left. Every
 * delete has the listed uid as its precondition, so a new namespace of the same name keeps its objects.
 */
export async function sweepNamespace(request: SweepRequest): Promise<Sweep> {
  const sweep = { remaining: [] as Remaining[], errors: [] as string[] };
  let resources: readonly GroupVersionResource[];
  try {
    resources = deletable(await discover(request.client));
  } catch (error) {
    return { ...sweep, discoveryError: messageOfError(error) };
  }
  await sweepResources(request, resources.filter(isPods), sweep);
  if (sweep.remaining.length > 0) return { ...sweep, podsOnly: true };
  await sweepResources(
    request,
    resources.filter((resource) => !isPods(resource)),
    sweep,
  );
  return sweep;
}

function deletable(all: readonly ServedResource[]): readonly GroupVersionResource[] {
  const chosen = all.filter(({ namespaced, verbs }) => namespaced && verbs.has('list') && verbs.has('delete'));
  return preferred(chosen).map(({ resource }) => resource);
}

async function sweepResources(
  request: SweepRequest,
  resources: readonly GroupVersionResource[],
  sweep: { remaining: Remaining[]; errors: string[] },
): Promise<void> {
  await forEachAtOnce(AT_ONCE, resources, async (resource) => {
    try {
      const left = await sweepResource(request, resource);
      if (left.count > 0) sweep.remaining.push(left);
    } catch (error) {
      sweep.errors.push(messageOfError(error));
    }
  });
}

async function sweepResource(request: SweepRequest, resource: GroupVersionResource): Promise<Remaining> {
  const { client, namespace } = request;
  const none: Remaining = { resource, count: 0, finalizers: [], graceSeconds: 0 };
  const found = await list(request, resource);
  const graceSeconds = isPods(resource) ? podGrace(found.map((pod) => typedObject(PODS, pod))) : 0;
  const asked = found.filter((object) => !isDeleting(object));
  if (asked.length > 0 && !(await request.mayDelete())) return none;
  await forEachAtOnce(AT_ONCE, asked, async (object) => {
    const ref = { resource, namespace, name: nameOf(object) };
    await client.delete(ref, { uid: uidOf(object), propagationPolicy: 'Background' }).catch(ignoreGone);
  });
  const left = asked.length === 0 ? found : await list(request, resource);
  return { resource, count: left.length, finalizers: left.map(finalizersOf), graceSeconds };
}

/** A resource that was removed after discovery has no objects. */
async function list({ client, namespace }: SweepRequest, resource: GroupVersionResource): Promise<JsonObject[]> {
  return client.list(resource, { namespace }).catch((error: unknown) => {
    if (error instanceof StatusError && error.code === 404) return [];
    throw error;
  });
}

/** Ignores the error if the object was deleted, or if another object has its name. */
const ignoreGone = ignore('NotFound', 'Conflict');
