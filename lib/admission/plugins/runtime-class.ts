import { wasEmpty } from '#lib/machinery/empties.ts';
import { quote } from '#lib/machinery/go.ts';
import { clone, objectAt, ownField, setField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, ensure, entries, has, items } from '#lib/machinery/unstructured.ts';
import { compareQuantities, quantities } from '#lib/machinery/resource/quantities.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';
import { mergeTolerations } from '../tolerations.ts';

const CLASSES = { group: 'node.k8s.io', resource: 'runtimeclasses' };
const MISMATCH = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** A pod gets its runtime's overhead and the nodes that have the runtime. */
export function runtimeClass(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    operations: ['CREATE'],
    about: ['/pods'],
    async admit(attributes) {
      if (!isAbout(attributes, '/pods') || attributes.object === undefined) return;
      const spec = ensure(attributes.object, 'spec');
      const chosen = await classOf(lookup, attributes, spec);
      if (chosen === undefined) return;
      setOverhead(attributes, spec, chosen);
      setScheduling(attributes, spec, objectAt(chosen, 'scheduling'));
    },
    async validate(attributes) {
      if (!isAbout(attributes, '/pods') || attributes.object === undefined) return;
      const spec = ensure(attributes.object, 'spec');
      const chosen = await classOf(lookup, attributes, spec);
      if (chosen !== undefined && has(chosen, 'overhead')) {
        if (!sameOverhead(chosen, spec)) throw refusal(attributes, MISMATCH);
      } else if (has(spec, 'overhead') || wasEmpty(spec, 'overhead')) {
        throw refusal(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
      }
    },
  };
}

async function classOf(lookup: Lookup, attributes: Attributes, spec: JsonObject): Promise<JsonObject | undefined> {
  const name = stringAt(spec, 'runtimeClassName');
  if (name === undefined) return undefined;
  const found = await lookup.find(CLASSES, name);
  if (found === undefined) throw refusal(attributes, `pod rejected: RuntimeClass ${quote(name)} not found`);
  return found;
}

function setOverhead(attributes: Attributes, spec: JsonObject, chosen: JsonObject): void {
  if (!has(chosen, 'overhead')) return;
  if (quantities(spec, 'overhead').length > 0 && !sameOverhead(chosen, spec)) throw refusal(attributes, MISMATCH);
  const fixed = at(chosen, 'overhead', 'podFixed');
  if (fixed === undefined) delete spec['overhead'];
  else spec['overhead'] = clone(fixed);
}

function sameOverhead(chosen: JsonObject, spec: JsonObject): boolean {
  const expected = quantities(objectAt(chosen, 'overhead'), 'podFixed');
  const given = new Map(quantities(spec, 'overhead'));
  return (
    expected.length === given.size &&
    expected.every(([name, value]) => {
      const other = given.get(name);
      return other !== undefined && compareQuantities(other, value) === 0;
    })
  );
}

function setScheduling(attributes: Attributes, spec: JsonObject, scheduling: JsonObject | undefined): void {
  if (scheduling === undefined) return;
  for (const [key, value] of entries(scheduling, 'nodeSelector')) {
    const selector = ensure(spec, 'nodeSelector');
    const given = ownField(selector, key);
    if (given !== undefined && given !== value) {
      const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${String(given)}`;
      throw refusal(attributes, why);
    }
    setField(selector, key, value);
  }
  const tolerations = mergeTolerations([...items(spec, 'tolerations'), ...items(scheduling, 'tolerations')]);
  if (tolerations.length > 0) spec['tolerations'] = tolerations.map((toleration) => clone(toleration));
}
