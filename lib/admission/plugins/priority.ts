import { ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { count, ensure, flag, integer, text } from '#lib/machinery/unstructured.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

const CLASSES = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };

/** Writes a priority class' value and policy into the pods that name it; there is one default class at most. */
export function priority(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'Priority',
    operations: ['CREATE', 'UPDATE'],
    about: ['/pods', 'scheduling.k8s.io/priorityclasses'],
    async admit(attributes) {
      const { object, oldObject, operation } = attributes;
      if (!isAbout(attributes, '/pods') || object === undefined) return;
      if (operation === 'CREATE') await resolve(lookup, attributes, ensure(object, 'spec'));
      else if (oldObject !== undefined) keep(ensure(object, 'spec'), ensure(oldObject, 'spec'));
    },
    async validate(attributes) {
      const { object, operation } = attributes;
      if (!isAbout(attributes, 'scheduling.k8s.io/priorityclasses') || object === undefined) return;
      if (flag(object, 'globalDefault') !== true) return;
      const known = await defaultPriorityClass(lookup);
      if (known === undefined || (operation === 'UPDATE' && nameOf(known) === nameOf(object))) return;
      const why = `PriorityClass ${nameOf(known)} is already marked as default. Only one default can exist`;
      throw refusal(attributes, why);
    },
  };
}

/** What was resolved at creation stays, also where a client that does not know the fields writes. */
function keep(spec: JsonObject, before: JsonObject): void {
  for (const field of ['priority', 'preemptionPolicy']) {
    const value = ownField(before, field);
    if (ownField(spec, field) === undefined && value !== undefined) spec[field] = value;
  }
}

async function resolve(lookup: Lookup, attributes: Attributes, spec: JsonObject): Promise<void> {
  const named = text(spec, 'priorityClassName');
  const chosen = named === '' ? await defaultPriorityClass(lookup) : await lookup.find(CLASSES, named);
  if (named !== '' && chosen === undefined) throw refusal(attributes, `no PriorityClass with name ${named} was found`);
  const value = count(chosen, 'value');
  const given = integer(spec, 'priority');
  if (given !== undefined && Number(given) !== Number(value)) {
    const why = `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
    throw refusal(attributes, why);
  }
  if (chosen !== undefined) spec['priorityClassName'] = nameOf(chosen);
  spec['priority'] = value;
  setPolicy(attributes, spec, chosen === undefined ? 'PreemptLowerPriority' : stringAt(chosen, 'preemptionPolicy'));
}

function setPolicy(attributes: Attributes, spec: JsonObject, policy: string | undefined): void {
  if (policy === undefined) return;
  const given = stringAt(spec, 'preemptionPolicy');
  if (given !== undefined && given !== policy) {
    const why = `the string value of PreemptionPolicy (${given}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`;
    throw refusal(attributes, why);
  }
  spec['preemptionPolicy'] = policy;
}

/** Of several defaults, which a race can make, the lowest. */
async function defaultPriorityClass(lookup: Lookup): Promise<JsonObject | undefined> {
  const defaults = (await lookup.list(CLASSES)).filter((one) => flag(one, 'globalDefault') === true);
  return defaults.toSorted((a, b) => Number(count(a, 'value')) - Number(count(b, 'value')))[0];
}
