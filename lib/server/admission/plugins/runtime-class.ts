import type { PodSpec } from '#lib/api/types/core.v1.ts';
import type { Overhead, RuntimeClass, Scheduling } from '#lib/api/types/node.v1.ts';
import { PODS, RUNTIME_CLASSES } from '#lib/api/types/resources.ts';
import { wasEmpty } from '#lib/machinery/empties.ts';
import { quote } from '#lib/machinery/go.ts';
import { clone, ownField, setField } from '#lib/machinery/json-value.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';
import { mergeTolerations } from '../tolerations.ts';

const MISMATCH = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** Sets the runtime's overhead on a pod, and restricts the pod to nodes with the runtime. */
export function runtimeClass(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    operations: ['CREATE'],
    about: ['/pods'],
    async admit(attributes) {
      if (!isAbout(attributes, PODS) || attributes.object === undefined) return;
      const { spec } = attributes.object;
      const chosen = await classOf(lookup, attributes, spec);
      if (chosen === undefined) return;
      setOverhead(attributes, spec, chosen);
      setScheduling(attributes, spec, chosen.scheduling);
    },
    async validate(attributes) {
      if (!isAbout(attributes, PODS) || attributes.object === undefined) return;
      const { spec } = attributes.object;
      const chosen = await classOf(lookup, attributes, spec);
      if (chosen?.overhead !== undefined) {
        if (!sameOverhead(chosen.overhead.podFixed, spec)) throw refusal(attributes, MISMATCH);
      } else if (spec.overhead !== undefined || wasEmpty(spec, 'overhead')) {
        throw refusal(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
      }
    },
  };
}

async function classOf(lookup: Lookup, attributes: Attributes, spec: PodSpec): Promise<RuntimeClass | undefined> {
  const name = spec.runtimeClassName;
  if (name === undefined) return undefined;
  const found = await lookup.find(RUNTIME_CLASSES, name);
  if (found === undefined) throw refusal(attributes, `pod rejected: RuntimeClass ${quote(name)} not found`);
  return found;
}

function setOverhead(attributes: Attributes, spec: PodSpec, { overhead }: RuntimeClass): void {
  if (overhead === undefined) return;
  const { podFixed } = overhead;
  const isSet = Object.keys(spec.overhead ?? {}).length > 0;
  if (isSet && !sameOverhead(podFixed, spec)) throw refusal(attributes, MISMATCH);
  if (podFixed === undefined) delete spec.overhead;
  else spec.overhead = clone(podFixed);
}

function sameOverhead(podFixed: Overhead['podFixed'], spec: PodSpec): boolean {
  const expected = Object.entries(podFixed ?? {});
  const given = new Map(Object.entries(spec.overhead ?? {}));
  return (
    expected.length === given.size &&
    expected.every(([name, value]) => {
      const other = given.get(name);
      return other !== undefined && compareQuantities(other, value) === 0;
    })
  );
}

function setScheduling(attributes: Attributes, spec: PodSpec, scheduling: Scheduling | undefined): void {
  if (scheduling === undefined) return;
  for (const [key, value] of sortedEntries(scheduling.nodeSelector)) {
    const selector = (spec.nodeSelector ??= {});
    const given = ownField(selector, key);
    if (given !== undefined && given !== value) {
      const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${given}`;
      throw refusal(attributes, why);
    }
    setField(selector, key, value);
  }
  const tolerations = mergeTolerations([...(spec.tolerations ?? []), ...(scheduling.tolerations ?? [])]);
  if (tolerations.length > 0) spec.tolerations = tolerations.map((toleration) => clone(toleration));
}
