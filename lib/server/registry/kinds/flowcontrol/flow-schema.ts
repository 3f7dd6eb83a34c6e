import type {
  FlowDistinguisherMethod,
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '#lib/api/types/flowcontrol.v1.ts';
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
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

function validate(schema: FlowSchema): FieldError[] {
  const { spec } = schema;
  const name = schema.metadata.name ?? '';
  const mandatory = Object.hasOwn(MANDATORY_SCHEMAS, name) ? MANDATORY_SCHEMAS[name] : undefined;
  const changed = mandatory !== undefined && !semanticEqual(spec, mandatory);
  return [
    ...precedence(spec.matchingPrecedence, name),
    ...distinguisher(spec.distinguisherMethod),
    ...levelName(spec.priorityLevelConfiguration.name),
    ...each(spec.rules ?? [], SPEC.child('rules'), ruleErrors),
    ...(changed ? [invalid(SPEC, spec, `spec of '${name}' must equal the fixed value`)] : []),
    ...conditionErrors(schema),
  ];
}

function precedence(value: number | bigint, name: string): FieldError[] {
  const path = SPEC.child('matchingPrecedence');
  const error = (message: string): FieldError[] => [invalid(path, value, message)];
  if (value <= 0) return error('must be a positive value');
  if (value > MAX_PRECEDENCE) return error(`must not be greater than ${MAX_PRECEDENCE}`);
  if (Number(value) !== 1 || name === 'exempt') return [];
  return error("only the schema named 'exempt' may have matchingPrecedence 1");
}

function distinguisher(method: FlowDistinguisherMethod | undefined): FieldError[] {
  if (method === undefined || METHODS.includes(method.type)) return [];
  const shown = new Map([['Type', method.type]]);
  return [notSupported(SPEC.child('distinguisherMethod', 'type'), shown, METHODS)];
}

function levelName(name: string): FieldError[] {
  const path = SPEC.child('priorityLevelConfiguration', 'name');
  return name === '' ? [required(path, 'must reference a priority level')] : objectName(name, path);
}

function ruleErrors(rule: PolicyRulesWithSubjects, path: FieldPath): FieldError[] {
  const subjects = rule.subjects ?? [];
  const [resources, urls] = [rule.resourceRules ?? [], rule.nonResourceRules ?? []];
  const nothing = resources.length + urls.length === 0;
  return [
    ...(subjects.length === 0 ? [required(path.child('subjects'), 'subjects must contain at least one value')] : []),
    ...each(subjects, path.child('subjects'), subjectErrors),
    ...(nothing ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')] : []),
    ...each(resources, path.child('resourceRules'), resourceRule),
    ...each(urls, path.child('nonResourceRules'), urlRule),
  ];
}

/** Each kind of subject and the field that describes it, in upstream's order. */
const SUBJECTS: readonly (readonly [kind: string, field: 'serviceAccount' | 'user' | 'group'])[] = [
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group'],
];

function subjectErrors(subject: Subject, path: FieldPath): FieldError[] {
  const kind = subject.kind;
  const own = SUBJECTS.find(([name]) => name === kind);
  if (own === undefined) return [notSupported(path.child('kind'), kind, ['Group', 'ServiceAccount', 'User'])];
  const [, field] = own;
  const described = subject[field];
  const others = SUBJECTS.filter(([name, other]) => name !== kind && subject[other] !== undefined);
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

interface Described {
  readonly name: string;
  readonly namespace?: string;
}

function describedErrors({ name, namespace = '' }: Described, field: string, path: FieldPath): FieldError[] {
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

/** Rejects an empty list, with `none` as the message, and a wildcard next to other values. */
function listErrors(list: string[] | null, path: FieldPath, none: string, what: string): FieldError[] {
  const values = list ?? [];
  if (values.length === 0) return [required(path, none)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [invalid(path, values, `if '*' is present, must not specify other ${what}`)];
}

function verbErrors(list: string[] | null, path: FieldPath): FieldError[] {
  const verbs = list ?? [];
  const unknown = !verbs.includes('*') && verbs.some((verb) => !VERBS.includes(verb));
  return [
    ...listErrors(verbs, path.child('verbs'), 'verbs must contain at least one value', 'verbs'),
    ...(unknown ? [notSupported(path.child('verbs'), verbs, VERBS)] : []),
  ];
}

const NAMESPACE = "each member of this list must be '*' or a DNS-1123 label; ";

function resourceRule(rule: ResourcePolicyRule, path: FieldPath): FieldError[] {
  const namespaces = rule.namespaces ?? [];
  const where = path.child('namespaces');
  const nowhere = namespaces.length === 0 && rule.clusterScope !== true;
  const none = 'resource rules that are not cluster scoped must supply at least one namespace';
  const wrong = namespaces.includes('*')
    ? []
    : each(namespaces, where, (namespace, at) =>
        isDNS1123Label(namespace).map((message) => invalid(at, namespace, NAMESPACE + message)),
      );
  return [
    ...verbErrors(rule.verbs, path),
    ...listErrors(
      rule.apiGroups,
      path.child('apiGroups'),
      'resource rules must supply at least one api group',
      'api groups',
    ),
    ...listErrors(
      rule.resources,
      path.child('resources'),
      'resource rules must supply at least one resource',
      'resources',
    ),
    ...(nowhere ? [required(where, none)] : []),
    ...(namespaces.length > 1 ? listErrors(namespaces, where, '', 'namespaces') : []),
    ...wrong,
  ];
}

function urlRule(rule: NonResourcePolicyRule, path: FieldPath): FieldError[] {
  const urls = rule.nonResourceURLs ?? [];
  const none = 'nonResourceURLs must contain at least one value';
  return [
    ...verbErrors(rule.verbs, path),
    ...listErrors(urls, path.child('nonResourceURLs'), none, 'non-resource URLs'),
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
export const flowSchemaStrategy: KindStrategy<FlowSchema> = {
  default(schema) {
    schema.spec.matchingPrecedence ||= 1000;
  },
  prepareForCreate(schema) {
    schema.status = {};
  },
  prepareForUpdate: (schema, old) => keepField(schema, old, 'status'),
  validate,
  validateUpdate: validate,
  subresources: { status: statusOnly },
};
