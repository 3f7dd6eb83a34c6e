import type { PodSpec, Toleration } from '#lib/api/types/core.v1.ts';
import { NAMESPACES, PODS } from '#lib/api/types/resources.ts';
import { notFound, unclassified } from '#lib/machinery/errors.ts';
import { isObject, type Json } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import { podQOS } from '#lib/server/registry/kinds/core/pod/qos.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout } from '../refusal.ts';
import { covers, mergeTolerations, readToleration } from '../tolerations.ts';

const DEFAULTS = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const ALLOWED = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const MEMORY = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };

/** The tolerations for namespaces without annotations. */
export interface TolerationRules {
  /** Tolerations that every pod gets. */
  readonly defaults: readonly Toleration[];
  /** Tolerations that pods may have. Empty allows all. */
  readonly allowed: readonly Toleration[];
}

/** Adds the namespace's default tolerations to pods, and rejects tolerations that the namespace does not allow. */
export function podTolerationRestriction(lookup: Lookup, rules: TolerationRules): AdmissionPlugin {
  const check = async (attributes: Attributes, spec: PodSpec): Promise<void> => {
    const own = await tolerationsOf(lookup, attributes.namespace, ALLOWED);
    const allowed = own ?? rules.allowed;
    const bad = (spec.tolerations ?? []).some((toleration) => !allowed.some((one) => covers(one, toleration)));
    if (allowed.length === 0 || !bad) return;
    const whose = own === undefined ? 'cluster' : 'namespace';
    throw unclassified(
      `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${whose} whitelist`,
    );
  };
  return {
    name: 'PodTolerationRestriction',
    operations: ['CREATE', 'UPDATE'],
    about: ['/pods'],
    async admit(attributes) {
      if (!isAbout(attributes, PODS) || attributes.object === undefined) return;
      const { namespace, operation } = attributes;
      const { spec } = attributes.object;
      const own = operation === 'CREATE' ? await tolerationsOf(lookup, namespace, DEFAULTS) : [];
      const more = [...(own ?? rules.defaults), ...(podQOS(spec) === 'BestEffort' ? [] : [MEMORY])];
      if (more.length > 0) spec.tolerations = mergeTolerations([...(spec.tolerations ?? []), ...more]);
      await check(attributes, spec);
    },
    async validate(attributes) {
      if (isAbout(attributes, PODS) && attributes.object !== undefined) await check(attributes, attributes.object.spec);
    },
  };
}

/** Returns the tolerations in an annotation of the namespace. Undefined if it is absent. */
async function tolerationsOf(lookup: Lookup, namespace: string, key: string): Promise<Toleration[] | undefined> {
  const found = await lookup.find(NAMESPACES, namespace);
  if (found === undefined) throw notFound(NAMESPACES, namespace);
  const annotation = annotationsOf(found)[key];
  if (annotation === undefined || annotation === '') return annotation === undefined ? undefined : [];
  const value = parsed(annotation);
  if (!Array.isArray(value) || !value.every((one) => isObject(one)))
    throw unclassified(`the annotation ${key} of namespace ${namespace} holds no list of tolerations`);
  return value.filter(isObject).map(readToleration);
}

function parsed(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
