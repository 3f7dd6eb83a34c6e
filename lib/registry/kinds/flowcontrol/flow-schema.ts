import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, ensure, flag, has, items, text, texts } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { keepField } from '../shared/status.ts';
import { each, objectName } from '../shared/validate.ts';
import { MANDATORY_SCHEMAS } from './mandatory.ts';
import { conditionErrors, statusOnly } from './status.ts';

const SPEC = FieldPath.of('spec');
const MAX_PRECEDENCE = 10_000;
const METHODS = ['ByNamespace', 'ByUser'];
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function validate(schema: JsonObject): FieldError[] {
  const spec = objectAt(schema, 'spec') ?? {};
  const name = text(objectAt(schema, 'metadata'), 'name');
  const mandatory = Object.hasOwn(MANDATORY_SCHEMAS, name) ? MANDATORY_SCHEMAS[name] : undefined;
  const changed = mandatory !== undefined && !semanticEqual(spec, mandatory);
  return [
    ...precedence(count(spec, 'matchingPrecedence'), name),
    ...distinguisher(objectAt(spec, 'distinguisherMethod')),
    ...levelName(text(objectAt(spec, 'priorityLevelConfiguration'), 'name')),
    ...each(items(spec, 'rules'), SPEC.child('rules'), ruleErrors),
    ...(changed ? [invalid(SPEC, spec, `spec of '${name}' must equal the fixed value`)] : []),
    ...conditionErrors(schema),
  ];
}

function precedence(value: number | bigint, name: string): FieldError[] {
  const path = SPEC.child('matchingPrecedence');
  const error = (text: string): FieldError[] => [invalid(path, value, text)];
  if (value <= 0) return error('must be a positive value');
  if (value > MAX_PRECEDENCE) return error(`must not be greater than ${MAX_PRECEDENCE}`);
  if (Number(value) !== 1 || name === 'exempt') return [];
  return error("only the schema named 'exempt' may have matchingPrecedence 1");
}

function distinguisher(method: JsonObject | undefined): FieldError[] {
  if (method === undefined || METHODS.includes(text(method, 'type'))) return [];
  const shown = new Map([['Type', text(method, 'type')]]);
  return [notSupported(SPEC.child('distinguisherMethod', 'type'), shown, METHODS)];
}

function levelName(name: string): FieldError[] {
  const path = SPEC.child('priorityLevelConfiguration', 'name');
  return name === '' ? [required(path, 'must reference a priority level')] : objectName(name, path);
}

function ruleErrors(rule: JsonObject, path: FieldPath): FieldError[] {
  const subjects = items(rule, 'subjects');
  const [resources, urls] = [items(rule, 'resourceRules'), items(rule, 'nonResourceRules')];
  const nothing = resources.length + urls.length === 0;
  return [
    ...(subjects.length === 0 ? [required(path.child('subjects'), 'subjects must contain at least one value')] : []),
    ...each(subjects, path.child('subjects'), subjectErrors),
    ...(nothing ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')] : []),
    ...each(resources, path.child('resourceRules'), resourceRule),
    ...each(urls, path.child('nonResourceRules'), urlRule),
  ];
}

/** Each kind of subject with the field that describes it, in upstream's order. */
const SUBJECTS: readonly (readonly [kind: string, field: string])[] = [
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group'],
];

function subjectErrors(subject: JsonObject, path: FieldPath): FieldError[] {
  const kind = text(subject, 'kind');
  const own = SUBJECTS.find(([name]) => name === kind);
  if (own === undefined) return [notSupported(path.child('kind'), kind, ['Group', 'ServiceAccount', 'User'])];
  const [, field] = own;
  const described = objectAt(subject, field);
  const others = SUBJECTS.filter(([name, other]) => name !== kind && has(subject, other));
  const where = path.child(field);
  return [
    ...(described === undefined
      ? [required(where, `${field} is required when subject kind is '${kind}'`)]
      : describedErrors(described, field, where)),
    ...others.map(([name, other]) =>
      forbidden(path.child(other), `${other} is forbidden when subject kind is not '${name}'`),
    ),
  ];
}

function describedErrors(subject: JsonObject, field: string, path: FieldPath): FieldError[] {
  const [name, namespace] = [text(subject, 'name'), text(subject, 'namespace')];
  const errors = name === '' ? [required(path.child('name'))] : [];
  if (field !== 'serviceAccount') return errors;
  const where = path.child('namespace');
  return [
    ...errors,
    ...(name === '' || name === '*'
      ? []
      : isDNS1123Subdomain(name).map((message) => invalid(path.child('name'), name, message))),
    ...(namespace === ''
      ? [required(where, 'must specify namespace for service account')]
      : isDNS1123Label(namespace).map((message) => invalid(where, namespace, message))),
  ];
}

/** At least one value, and a wildcard alone. */
function listErrors(rule: JsonObject, field: string, path: FieldPath, none: string, what: string): FieldError[] {
  const values = texts(rule, field);
  if (values.length === 0) return [required(path.child(field), none)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [invalid(path.child(field), values, `if '*' is present, must not specify other ${what}`)];
}

function verbErrors(rule: JsonObject, path: FieldPath): FieldError[] {
  const verbs = texts(rule, 'verbs');
  const unknown = !verbs.includes('*') && verbs.some((verb) => !VERBS.includes(verb));
  return [
    ...listErrors(rule, 'verbs', path, 'verbs must contain at least one value', 'verbs'),
    ...(unknown ? [notSupported(path.child('verbs'), verbs, VERBS)] : []),
  ];
}

const NAMESPACE = "each member of this list must be '*' or a DNS-1123 label; ";

function resourceRule(rule: JsonObject, path: FieldPath): FieldError[] {
  const namespaces = texts(rule, 'namespaces');
  const where = path.child('namespaces');
  const nowhere = namespaces.length === 0 && flag(rule, 'clusterScope') !== true;
  const none = 'resource rules that are not cluster scoped must supply at least one namespace';
  const wrong = namespaces.includes('*')
    ? []
    : each(namespaces, where, (namespace, at) =>
        isDNS1123Label(namespace).map((message) => invalid(at, namespace, NAMESPACE + message)),
      );
  return [
    ...verbErrors(rule, path),
    ...listErrors(rule, 'apiGroups', path, 'resource rules must supply at least one api group', 'api groups'),
    ...listErrors(rule, 'resources', path, 'resource rules must supply at least one resource', 'resources'),
    ...(nowhere ? [required(where, none)] : []),
    ...(namespaces.length > 1 ? listErrors(rule, 'namespaces', path, '', 'namespaces') : []),
    ...wrong,
  ];
}

function urlRule(rule: JsonObject, path: FieldPath): FieldError[] {
  const urls = texts(rule, 'nonResourceURLs');
  const none = 'nonResourceURLs must contain at least one value';
  return [
    ...verbErrors(rule, path),
    ...listErrors(rule, 'nonResourceURLs', path, none, 'non-resource URLs'),
    ...(urls.includes('*')
      ? []
      : each(urls, path.child('nonResourceURLs'), (url, where) => {
          const wrong = urlError(url);
          return wrong === undefined ? [] : [invalid(where, url, wrong)];
        })),
  ];
}

function urlError(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const star = url.indexOf('*');
  return star < 0 || (star === url.length - 1 && url.endsWith('/*'))
    ? undefined
    : 'wildcard can only do suffix matching';
}

/** Upstream's pkg/registry/flowcontrol/flowschema. */
export const flowSchemaStrategy: KindStrategy = {
  default(schema) {
    const spec = ensure(schema, 'spec');
    if (Number(ownField(spec, 'matchingPrecedence') ?? 0) === 0) spec['matchingPrecedence'] = 1000;
  },
  prepareForCreate(schema) {
    schema['status'] = {};
  },
  prepareForUpdate: (schema, old) => keepField(schema, old, 'status'),
  validate,
  validateUpdate: validate,
  subresources: { status: statusOnly },
};
