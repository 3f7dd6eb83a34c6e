import { applyJsonPatch, decodeJsonPatch, type JsonPatch } from '#lib/api/patch/json-patch.ts';
import { internalError, StatusError } from '#lib/machinery/errors.ts';
import { marshal, quote } from '#lib/machinery/go.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { clone, equal, isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import type { AdmissionPlugin, Rounds } from '../admission.ts';
import { RequestViews } from '../cel/request-views.ts';
import { isRegistration, type Registrations } from '../registrations.ts';
import { Reinvocation } from '../reinvocation.ts';
import { replaceObject } from '../versioned.ts';
import { type CallerPorts, type Invocation, WebhookCaller } from '../webhook/caller.ts';
import { CallFailure } from '../webhook/failure.ts';
import { type Hook, hooksOf } from '../webhook/hook.ts';

const PREFIX = 'mutation.webhook.admission.k8s.io/';
const PATCH_PREFIX = 'patch.webhook.admission.k8s.io/';

/** Calls the mutating webhooks one after another. Each sees the changes of the earlier ones. */
export function mutatingAdmissionWebhook(registrations: Registrations, ports: CallerPorts): AdmissionPlugin {
  const caller = new WebhookCaller(ports, true);
  const memory = new WeakMap<Rounds, Reinvocation>();
  return {
    name: 'MutatingAdmissionWebhook',
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    async admit(attributes, rounds) {
      if (isRegistration(attributes)) return;
      const { mutatingWebhooks } = await registrations.of(attributes);
      if (mutatingWebhooks.length === 0) return;
      const reinvocation = memory.get(rounds) ?? new Reinvocation(rounds);
      memory.set(rounds, reinvocation);
      const views = new RequestViews(attributes, ports.authorizer);
      reinvocation.begin(attributes);
      for (const [index, hook] of mutatingWebhooks.flatMap(hooksOf).entries()) {
        const invocation = await caller.invocation(hook, views);
        if (invocation === undefined || reinvocation.skips(keyOf(hook, index))) continue;
        if (await invoke(caller, invocation, views, { rounds, index })) reinvocation.requireSecond();
        if (hook.reinvocable) reinvocation.listen(keyOf(hook, index));
      }
      reinvocation.end(attributes);
    },
  };
}

const keyOf = ({ configuration, name }: Hook, index: number): string => `${configuration}/${name}/${index}`;

interface Turn {
  readonly rounds: Rounds;
  readonly index: number;
}

/** Calls one webhook and applies its response. Returns whether that changed the object. */
async function invoke(
  caller: WebhookCaller,
  invocation: Invocation,
  views: RequestViews,
  { rounds, index }: Turn,
): Promise<boolean> {
  const { hook, match } = invocation;
  const { attributes } = views;
  const turn = `round_${rounds.isSecond ? 1 : 0}_index_${index}`;
  const { configuration, name } = hook;
  let mutated = false;
  await caller.attempt(hook, attributes, `failed-open.${PREFIX}${turn}`, async () => {
    const { objects: shown } = await views.of(match);
    const { patch, patchType } = await caller.call(invocation, attributes, shown);
    const operations = patch === '' ? [] : readPatch(hook, patch);
    if (operations.length === 0) return;
    const patched = patchedObject(hook, shown.object, operations, patchType);
    mutated = await put(views, invocation, patched);
    const told = marshal({ configuration, webhook: name, patch: operations, patchType });
    attributes.annotate(PATCH_PREFIX + turn, told, 'bodies');
  });
  attributes.annotate(PREFIX + turn, marshal({ configuration, webhook: name, mutated }));
  return mutated;
}

function readPatch(hook: Hook, patch: string): JsonPatch {
  try {
    return decodeJsonPatch(decodeJson(Buffer.from(patch, 'base64'), { literals: true }).value);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CallFailure(hook.name, `received undecodable patch in webhook response: ${error.message}`);
  }
}

function patchedObject(
  { name }: Hook,
  object: JsonObject | undefined,
  operations: JsonPatch,
  patchType: string,
): JsonObject {
  if (object === undefined) {
    const why = `attempted to modify the object, which is not supported for this operation`;
    throw internalError(`admission webhook ${quote(name)} ${why}`);
  }
  if (patchType !== 'JSONPatch') throw new CallFailure(name, `unsupported patch type ${quote(patchType)}`);
  try {
    const patched = applyJsonPatch(object, operations);
    if (!isObject(patched)) throw internalError('the patched document is not an object');
    return patched;
  } catch (error) {
    if (error instanceof StatusError && typeof error.cause === 'string') throw internalError(error.cause);
    throw error;
  }
}

/** Returns whether the object changed. */
async function put(views: RequestViews, { match }: Invocation, patched: JsonObject): Promise<boolean> {
  const { attributes } = views;
  views.forget();
  const before = clone(attributes.object ?? {});
  await replaceObject(attributes, match, patched);
  return !equal(before, attributes.object);
}
