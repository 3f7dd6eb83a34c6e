import { schemaName, shortName } from '../openapi/names.ts';
import { hasType, typeFacts } from '../types.ts';
import admissionregistration from './admissionregistration.v1.json' with { type: 'json' };
import apidiscovery from './apidiscovery.v2.json' with { type: 'json' };
import apiextensions from './apiextensions.v1.json' with { type: 'json' };
import apiregistration from './apiregistration.v1.json' with { type: 'json' };
import apps from './apps.v1.json' with { type: 'json' };
import authentication from './authentication.v1.json' with { type: 'json' };
import authorization from './authorization.v1.json' with { type: 'json' };
import autoscalingV1 from './autoscaling.v1.json' with { type: 'json' };
import autoscalingV2 from './autoscaling.v2.json' with { type: 'json' };
import batch from './batch.v1.json' with { type: 'json' };
import certificates from './certificates.v1.json' with { type: 'json' };
import coordination from './coordination.v1.json' with { type: 'json' };
import coreContainer from './core.v1.container.json' with { type: 'json' };
import coreNode from './core.v1.node.json' with { type: 'json' };
import coreOthers from './core.v1.others.json' with { type: 'json' };
import corePod from './core.v1.pod.json' with { type: 'json' };
import coreService from './core.v1.service.json' with { type: 'json' };
import coreStorage from './core.v1.storage.json' with { type: 'json' };
import coreVolume from './core.v1.volume.json' with { type: 'json' };
import coreVolumeSources from './core.v1.volume-sources.json' with { type: 'json' };
import discovery from './discovery.v1.json' with { type: 'json' };
import events from './events.v1.json' with { type: 'json' };
import flowcontrol from './flowcontrol.v1.json' with { type: 'json' };
import meta from './meta.v1.json' with { type: 'json' };
import networking from './networking.v1.json' with { type: 'json' };
import node from './node.v1.json' with { type: 'json' };
import policy from './policy.v1.json' with { type: 'json' };
import rbac from './rbac.v1.json' with { type: 'json' };
import resource from './resource.v1.json' with { type: 'json' };
import scheduling from './scheduling.v1.json' with { type: 'json' };
import storage from './storage.v1.json' with { type: 'json' };
import values from './values.json' with { type: 'json' };

/** The description of a type, under the empty name, and the descriptions of its fields. */
export type TypeTexts = Readonly<Record<string, string>>;

/** All descriptions, by short type name: `meta.v1.ObjectMeta`. */
export const TEXTS: Readonly<Record<string, TypeTexts>> = {
  ...admissionregistration,
  ...apidiscovery,
  ...apiextensions,
  ...apiregistration,
  ...apps,
  ...authentication,
  ...authorization,
  ...autoscalingV1,
  ...autoscalingV2,
  ...batch,
  ...certificates,
  ...coordination,
  ...coreContainer,
  ...coreNode,
  ...coreOthers,
  ...corePod,
  ...coreService,
  ...coreStorage,
  ...coreVolumeSources,
  ...coreVolume,
  ...discovery,
  ...events,
  ...flowcontrol,
  ...meta,
  ...networking,
  ...node,
  ...policy,
  ...rbac,
  ...resource,
  ...scheduling,
  ...storage,
  ...values,
};

/** The descriptions of fields that every kind has. A type's own descriptions take precedence. */
const KIND: TypeTexts = {
  kind: 'The kind of the object, in CamelCase, such as Pod. It cannot be changed.',
  apiVersion: 'The group and version in which the object is written, such as apps/v1.',
  metadata: "Standard object's metadata.",
  spec: 'What is wanted of the object.',
  status: 'What was last observed of the object. The system keeps it.',
};

const LIST: TypeTexts = {
  kind: 'The kind of the list, in CamelCase, such as PodList.',
  apiVersion: 'The group and version in which the objects are written, such as apps/v1.',
  metadata: 'Standard list metadata.',
  items: 'The objects.',
};

const { '': _, ...CONDITION } = meta['meta.v1.Condition'];

/** The descriptions of a built-in type, by its name in OpenAPI documents. */
export function typeTexts(name: string): TypeTexts | undefined {
  const type = shortName(name) ?? valueNames.get(name);
  return type === undefined ? undefined : textsOf(type);
}

const valueNames = new Map(Object.keys(values).map((type) => [schemaName(type), type]));

/** All descriptions of a type: its own, those of embedded structs, and those that every condition, list or kind shares. */
export function textsOf(type: string): TypeTexts {
  return hasType(type) ? { ...sharedTexts(type), ...embeddedTexts(type), ...TEXTS[type] } : { ...TEXTS[type] };
}

function sharedTexts(type: string): TypeTexts {
  const { go, field, hasTypeMeta } = typeFacts(type);
  if (go.endsWith('Condition')) return CONDITION;
  if (!hasTypeMeta) return {};
  return field.has('items') ? { '': `A list of objects of kind ${go.replace(/List$/, '')}.`, ...LIST } : KIND;
}

function embeddedTexts(type: string): TypeTexts {
  const inner = typeFacts(type).message.flatMap(({ embedded }) => (embedded === undefined ? [] : [textsOf(embedded)]));
  return Object.assign({}, ...inner);
}

/** Descriptions of query and path parameters, by name. */
export const PARAMETERS: TypeTexts = {
  ...meta['meta.v1.ListOptions'],
  ...meta['meta.v1.DeleteOptions'],
  ...meta['meta.v1.PatchOptions'],
  ...corePod['core.v1.PodExecOptions'],
  ...corePod['core.v1.PodLogOptions'],
  ...corePod['core.v1.PodPortForwardOptions'],
  name: 'The name of the object.',
  namespace: 'The namespace of the object.',
  path: 'The path to pass on.',
  pretty: 'With "true", JSON is indented for people to read.',
};
