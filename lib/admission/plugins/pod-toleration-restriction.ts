import { notFound, unclassified } from '#lib/machinery/errors.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { ensure, items } from '#lib/machinery/unstructured.ts';
import { podQOS } from '#lib/registry/kinds/core/pod/qos.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout } from '../refusal.ts';
import { covers, mergeTolerations } from '../tolerations.ts';

const NAMESPACES = { group: '', resource: 'namespaces' };
const DEFAULTS = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const ALLOWED = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const MEMORY = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };

/** What holds in namespaces whose annotations say nothing. */
export interface TolerationRules {
  readonly defaults: readonly JsonObject[];
  readonly allowed: readonly JsonObject[];
}

/** Pods tolerate what their namespace does by default, and nothing that it does not allow. */
export function podTolerationRestriction(lookup: Lookup, rules: TolerationRules): AdmissionPlugin {
  const check = async (attributes: Attributes, spec: JsonObject): Promise<void> => {
    const own = await tolerationsOf(lookup, attributes.namespace, ALLOWED);
    const allowed = own ?? rules.allowed;
    const bad = items(spec, 'tolerations').some((toleration) => !allowed.some((one) => covers(one, toleration)));
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
      const { object, namespace, operation } = attributes;
      if (!isAbout(attributes, '/pods') || object === undefined) return;
      const spec = ensure(object, 'spec');
      const own = operation === 'CREATE' ? await tolerationsOf(lookup, namespace, DEFAULTS) : [];
      const more = [...(own ?? rules.defaults), ...(podQOS(spec) === 'BestEffort' ? [] : [MEMORY])];
      if (more.length > 0) spec['tolerations'] = mergeTolerations([...items(spec, 'tolerations'), ...more]);
      await check(attributes, spec);
    },
    async validate(attributes) {
      const { object } = attributes;
      if (isAbout(attributes, '/pods') && object !== undefined) await check(attributes, ensure(object, 'spec'));
    },
  };
}

/** The tolerations in an annotation of the namespace; undefined where it has none. */
async function tolerationsOf(lookup: Lookup, namespace: string, key: string): Promise<JsonObject[] | undefined> {
  const found = await lookup.find(NAMESPACES, namespace);
  if (found === undefined) throw notFound(NAMESPACES, namespace);
  const text = annotationsOf(found)[key];
  if (text === undefined || text === '') return text === undefined ? undefined : [];
  const value = parsed(text);
  if (!Array.isArray(value) || !value.every((one) => isObject(one)))
    throw unclassified(`the annotation ${key} of namespace ${namespace} holds no list of tolerations`);
  return value.filter(isObject);
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
