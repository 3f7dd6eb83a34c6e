import type { PodSpec } from '#lib/api/types/core.v1.ts';
import { PODS, PRIORITY_CLASSES } from '#lib/api/types/resources.ts';
import type { PriorityClass } from '#lib/api/types/scheduling.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

/** Sets the value and policy of a priority class on the pods that name it. Allows at most one default class. */
export function priority(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'Priority',
    operations: ['CREATE', 'UPDATE'],
    about: ['/pods', 'scheduling.k8s.io/priorityclasses'],
    async admit(attributes) {
      if (!isAbout(attributes, PODS)) return;
      const { object, oldObject, operation } = attributes;
      if (object === undefined) return;
      if (operation === 'CREATE') await resolve(lookup, attributes, object.spec);
      else if (oldObject !== undefined) keep(object.spec, oldObject.spec);
    },
    async validate(attributes) {
      if (!isAbout(attributes, PRIORITY_CLASSES)) return;
      const { object, operation } = attributes;
      if (object?.globalDefault !== true) return;
      const known = await defaultPriorityClass(lookup);
      if (known === undefined || (operation === 'UPDATE' && nameOf(known) === nameOf(object))) return;
      const why = `PriorityClass ${nameOf(known)} is already marked as default. Only one default can exist`;
      throw refusal(attributes, why);
    },
  };
}

/** Preserves the values resolved at creation, even if an old client omits the fields. */
function keep(spec: PodSpec, before: PodSpec): void {
  if (spec.priority === undefined && before.priority !== undefined) spec.priority = before.priority;
  if (spec.preemptionPolicy === undefined && before.preemptionPolicy !== undefined)
    spec.preemptionPolicy = before.preemptionPolicy;
}

async function resolve(lookup: Lookup, attributes: Attributes, spec: PodSpec): Promise<void> {
  const named = spec.priorityClassName ?? '';
  const chosen = named === '' ? await defaultPriorityClass(lookup) : await lookup.find(PRIORITY_CLASSES, named);
  if (named !== '' && chosen === undefined) throw refusal(attributes, `no PriorityClass with name ${named} was found`);
  const value = chosen?.value ?? 0;
  const given = spec.priority;
  if (given !== undefined && given !== value) {
    const why = `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
    throw refusal(attributes, why);
  }
  if (chosen !== undefined) spec.priorityClassName = nameOf(chosen);
  spec.priority = value;
  setPolicy(attributes, spec, chosen === undefined ? 'PreemptLowerPriority' : chosen.preemptionPolicy);
}

function setPolicy(attributes: Attributes, spec: PodSpec, policy: string | undefined): void {
  if (policy === undefined) return;
  const given = spec.preemptionPolicy;
  if (given !== undefined && given !== policy) {
    const why = `the string value of PreemptionPolicy (${given}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`;
    throw refusal(attributes, why);
  }
  spec.preemptionPolicy = policy;
}

/** Returns the default class. If concurrent creates have produced several, returns the one with the lowest value. */
async function defaultPriorityClass(lookup: Lookup): Promise<PriorityClass | undefined> {
  const defaults = (await lookup.list(PRIORITY_CLASSES)).filter((one) => one.globalDefault === true);
  return defaults.toSorted((a, b) => a.value - b.value)[0];
}
