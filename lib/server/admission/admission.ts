import { decodeManagedFields } from '#lib/api/patch/apply/managed-fields.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { equal, type Json, objectAt, ownField } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { Admission, Attributes, Operation } from '#lib/server/registry/admission.ts';

/**
 * The rounds of mutating plugins for one request. If a plugin changes an object that others have already seen, all plugins run a second
 * time.
 */
export class Rounds {
  isSecond = false;
  wantsSecond = false;
}

/** Resources reserved for a write until its outcome is known. Neither method throws. */
export interface Reservation {
  /** Call after a successful write: its resources are now used. */
  settle(): void;
  /** Call after a failed write: its resources are free again. */
  revert(): void;
}

/**
 * An admission plugin. `admit` may change the object, `validate` may not. Both reject the request by throwing a StatusError. In chain
 * order, all `admit`s run first, then the strategy's validation, then all `validate`s.
 */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly Operation[];
  /**
   * The only resources (`group/resource`) that the plugin handles. Default: all. Other resources skip the plugin, so it adds no latency to
   * them.
   */
  readonly about?: readonly string[];
  admit?(attributes: Attributes, rounds: Rounds): void | Promise<void>;
  validate?(attributes: Attributes): void | Promise<void>;
  /** Called after every plugin has accepted the write: reserves its resources, or rejects it. Returns undefined if the write needs none. */
  reserve?(attributes: Attributes): Promise<Reservation | undefined> | undefined;
}

/** Upstream's two steps of admission. */
export type Step = 'admit' | 'validate';

/** The plugins in order, with an observer of steps. */
interface AdmissionChain {
  readonly plugins: readonly AdmissionPlugin[];
  /** Called when a step begins. The returned function is called at the end of the step. */
  step?(step: Step, operation: Operation): (rejected: boolean) => void;
}

/** Admission by the plugins of a chain. */
export const admissionBy = (chain: AdmissionChain): Admission => ({
  admit: (attributes) => admit(chain, attributes),
  validate: (attributes) => validate(chain, attributes),
  validated: (attributes, write) => validated(chain, attributes, write),
});

/** Runs every mutating plugin that handles the operation, and a second time if a plugin requests it. */
function admit(chain: AdmissionChain, attributes: Attributes): Promise<void> {
  return inStep(chain, 'admit', attributes, async () => {
    const before = managedFieldsOf(attributes);
    const rounds = new Rounds();
    await admitOnce(chain, attributes, rounds);
    if (rounds.wantsSecond) {
      rounds.isSecond = true;
      await admitOnce(chain, attributes, rounds);
    }
    keepManagedFields(attributes, before);
  });
}

async function inStep(
  chain: AdmissionChain,
  step: Step,
  { operation }: Attributes,
  work: () => Promise<void>,
): Promise<void> {
  const ended = chain.step?.(step, operation);
  try {
    await work();
    ended?.(false);
  } catch (error) {
    ended?.(true);
    throw error;
  }
}

const managedFieldsOf = ({ object }: Attributes): Json | undefined =>
  ownField(objectAt(object, 'metadata'), 'managedFields');

/** Restores managedFields that a plugin, a policy or a webhook made invalid: upstream's managedFieldsValidatingAdmissionController. */
function keepManagedFields(attributes: Attributes, before: Json | undefined): void {
  const after = managedFieldsOf(attributes);
  if (after === before || equal(after, before)) return;
  const decoded = decodeManagedFields(after);
  const metadata = objectAt(attributes.object, 'metadata');
  if ('managers' in decoded || metadata === undefined) return;
  if (before === undefined) delete metadata['managedFields'];
  else metadata['managedFields'] = before;
  attributes.context.warn(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${decoded.reason}`,
  );
}

/** Whether the plugin handles the operation and the resource. */
function isAsked({ operations, about }: AdmissionPlugin, { operation, resource }: Attributes): boolean {
  return operations.includes(operation) && looksAt(about, resource);
}

/** Whether a plugin handles the resource. Compares without building a key, because it runs about fifty times per write. */
export function looksAt(about: AdmissionPlugin['about'], { group, resource }: GroupVersionResource): boolean {
  if (about === undefined) return true;
  for (const one of about)
    if (one.length === group.length + resource.length + 1 && one.endsWith(resource) && one.startsWith(group))
      return true;
  return false;
}

async function admitOnce({ plugins }: AdmissionChain, attributes: Attributes, rounds: Rounds): Promise<void> {
  for (const plugin of plugins) {
    const admitting = isAsked(plugin, attributes) && plugin.admit?.(attributes, rounds);
    if (admitting) await admitting; // awaiting each synchronous result would add up
  }
}

/** Runs every validating plugin that handles the operation. */
function validate(chain: AdmissionChain, attributes: Attributes): Promise<void> {
  return inStep(chain, 'validate', attributes, async () => {
    for (const plugin of chain.plugins) {
      const validating = isAsked(plugin, attributes) && plugin.validate?.(attributes);
      if (validating) await validating;
    }
  });
}

/** Runs every validating plugin and then `write`, with the resources that the plugins reserve for it. */
async function validated<T>(chain: AdmissionChain, attributes: Attributes, write: () => Promise<T>): Promise<T> {
  await validate(chain, attributes);
  const reservations: Reservation[] = [];
  try {
    for (const plugin of chain.plugins) {
      if (!plugin.reserve || !isAsked(plugin, attributes)) continue;
      const reserving = plugin.reserve(attributes);
      const reservation = reserving && (await reserving);
      if (reservation !== undefined) reservations.push(reservation);
    }
    const written = await write();
    for (const reservation of reservations) {
      if (written === undefined) reservation.revert();
      else reservation.settle();
    }
    return written;
  } catch (error) {
    if (error instanceof StatusError) for (const reservation of reservations) reservation.revert();
    throw error;
  }
}
