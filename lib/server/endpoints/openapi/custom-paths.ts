import { modelName } from '#lib/api/schema/openapi.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';

const TYPES = ['application/json', 'application/yaml'];
const PATCH_TYPES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
const PATCH = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch';
const STATUS = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';
const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';
const SCALE = 'io.k8s.api.autoscaling.v1.Scale';

/** Schemas of built-in types to which the paths of custom resources refer. */
export const REFERENCED: readonly string[] = [
  'meta.v1.Patch',
  'meta.v1.Status',
  'meta.v1.DeleteOptions',
  'meta.v1.ObjectMeta',
  'meta.v1.ListMeta',
  'autoscaling.v1.Scale',
];

const reference = (name: string): JsonObject => ({ schema: { $ref: `#/components/schemas/${name}` } });
const content = (types: readonly string[], schema: JsonObject): JsonObject =>
  Object.fromEntries(types.map((type) => [type, schema]));
const query = (name: string, type: string): JsonObject => ({ in: 'query', name, schema: { type, uniqueItems: true } });
const inPath = (name: string): JsonObject => ({
  in: 'path',
  name,
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const WRITE = [query('dryRun', 'string'), query('fieldManager', 'string'), query('fieldValidation', 'string')];
const READ = [query('resourceVersion', 'string')];
const LIST = [
  ...['allowWatchBookmarks', 'sendInitialEvents', 'watch'].map((name) => query(name, 'boolean')),
  ...['continue', 'fieldSelector', 'labelSelector', 'resourceVersion', 'resourceVersionMatch'].map((name) =>
    query(name, 'string'),
  ),
  ...['limit', 'timeoutSeconds'].map((name) => query(name, 'integer')),
];
const DELETE = [
  query('dryRun', 'string'),
  query('gracePeriodSeconds', 'integer'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy', 'string'),
];

interface Operation {
  readonly action: string;
  readonly id: string;
  readonly parameters: readonly JsonObject[];
  readonly answers: string;
  readonly body?: JsonObject;
  readonly codes?: readonly string[];
}

/** The parts of a resource that determine its paths. */
export interface PublishedResource
  extends Pick<ResourceDefinition, 'resource' | 'namespaced' | 'listKind' | 'hasStatus'> {
  readonly scheme: Pick<ResourceDefinition['scheme'], 'kind'>;
  /** Whether it has the subresource `scale`. */
  readonly scale?: ResourceDefinition['scale'] | undefined;
}

/** Returns the paths of one custom resource in one version, as upstream publishes them. */
export function customPaths(definition: PublishedResource): JsonObject {
  const { resource, namespaced, listKind, scheme, hasStatus, scale } = definition;
  const root = `/apis/${resource.group}/${resource.version}`;
  const collection = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${resource.resource}`;
  const list = modelName({ ...scheme.kind, kind: listKind });
  const paths: JsonObject = {
    [collection]: collectionItem(definition, list),
    [`${collection}/{name}`]: objectItem(definition, ''),
  };
  if (hasStatus) paths[`${collection}/{name}/status`] = objectItem(definition, 'Status');
  if (scale !== undefined) paths[`${collection}/{name}/scale`] = objectItem(definition, 'Scale');
  if (namespaced) {
    const all = operation(definition, {
      action: 'list',
      id: `list${idOf(definition)}ForAllNamespaces`,
      parameters: LIST,
      answers: list,
    });
    paths[`${root}/${resource.resource}`] = { get: all };
  }
  return paths;
}

/** Returns the part of operation ids that names the resource: `ExampleComV1NamespacedCronTab`. */
function idOf({ resource, scheme }: PublishedResource): string {
  const group = resource.group.split('.').map(capital).join('');
  return `${group}${capital(resource.version)}${scheme.kind.kind}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const scoped = (definition: PublishedResource): string => {
  const { kind } = definition.scheme.kind;
  return definition.namespaced ? `${idOf(definition).slice(0, -kind.length)}Namespaced${kind}` : idOf(definition);
};

function collectionItem(definition: PublishedResource, list: string): JsonObject {
  const id = scoped(definition);
  const model = modelName(definition.scheme.kind);
  const parameters = definition.namespaced ? [inPath('namespace')] : [];
  const body = { content: content(['*/*'], reference(model)), required: true };
  return {
    parameters,
    get: operation(definition, { action: 'list', id: `list${id}`, parameters: LIST, answers: list }),
    post: operation(definition, {
      action: 'post',
      id: `create${id}`,
      parameters: WRITE,
      answers: model,
      body,
      codes: ['200', '201', '202'],
    }),
    delete: operation(definition, {
      action: 'deletecollection',
      id: `deleteCollection${id}`,
      parameters: LIST,
      answers: STATUS,
    }),
  };
}

function objectItem(definition: PublishedResource, subresource: '' | 'Status' | 'Scale'): JsonObject {
  const id = `${scoped(definition)}${subresource}`;
  const model = subresource === 'Scale' ? SCALE : modelName(definition.scheme.kind);
  const parameters = [inPath('name'), ...(definition.namespaced ? [inPath('namespace')] : [])];
  const whole = { content: content(['*/*'], reference(model)), required: true };
  const patch = { content: content(PATCH_TYPES, reference(PATCH)), required: true };
  const options = { content: content(['*/*'], reference(DELETE_OPTIONS)) };
  const item: JsonObject = {
    parameters,
    get: operation(definition, { action: 'get', id: `read${id}`, parameters: READ, answers: model }),
    put: operation(definition, {
      action: 'put',
      id: `replace${id}`,
      parameters: WRITE,
      answers: model,
      body: whole,
      codes: ['200', '201'],
    }),
    patch: operation(definition, {
      action: 'patch',
      id: `patch${id}`,
      parameters: [...WRITE, query('force', 'boolean')],
      answers: model,
      body: patch,
    }),
  };
  if (subresource !== '') return item;
  const remove = operation(definition, {
    action: 'delete',
    id: `delete${id}`,
    parameters: DELETE,
    answers: STATUS,
    body: options,
    codes: ['200', '202'],
  });
  return { ...item, delete: remove };
}

function operation(
  { scheme }: PublishedResource,
  { action, id, parameters, answers, body, codes = ['200'] }: Operation,
): JsonObject {
  const { group, version, kind } = scheme.kind;
  const answer = { content: content(TYPES, reference(answers)) };
  return {
    operationId: id,
    parameters: [...parameters],
    ...defined({ requestBody: body }),
    responses: { ...Object.fromEntries(codes.map((code) => [code, answer])), '401': {} },
    tags: [
      `${group
        .split('.')
        .map((part, i) => (i === 0 ? part : capital(part)))
        .join('')}_${version}`,
    ],
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, kind, version },
  };
}
