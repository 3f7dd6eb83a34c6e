import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { skipUnless } from '#test/support/skip.ts';
import { fixtures } from '../fixtures.conformance.ts';
import { shortName } from '../openapi/names.ts';
import { type Declared, readDeclarations } from './declarations.conformance.ts';

/** The parts of a published schema that a type can express. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly default?: unknown;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const declared = readDeclarations();

/** The schemas of the stable versions, by the short names of their types. */
function publishedSchemas(): ReadonlyMap<string, Schema> {
  const folder = join(fixtures ?? '', 'data', 'kubernetes-openapi-v3');
  const schemas = new Map<string, Schema>();
  for (const file of readdirSync(folder).filter((name) => !/v\d+(?:alpha|beta)\d+_openapi/.test(name))) {
    const document = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      components?: { schemas?: Record<string, Schema> };
    };
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      const short = shortName(name);
      if (short !== undefined) schemas.set(short, schema);
    }
  }
  return schemas;
}

/** The types of values that are not structs, by the last part of their name. */
const VALUES: Readonly<Record<string, string>> = {
  Quantity: 'Quantity',
  Time: 'Time',
  MicroTime: 'MicroTime',
  Duration: 'Duration',
  IntOrString: 'IntOrString',
  RawExtension: 'Json',
  FieldsV1: 'Json',
  JSON: 'Json',
  JSONSchemaPropsOrArray: 'apiextensions.v1.JSONSchemaProps | apiextensions.v1.JSONSchemaProps[]',
  JSONSchemaPropsOrBool: 'apiextensions.v1.JSONSchemaProps | boolean',
  JSONSchemaPropsOrStringArray: 'apiextensions.v1.JSONSchemaProps | string[]',
};

const refOf = ({ $ref, allOf }: Schema): string | undefined => $ref ?? allOf?.[0]?.$ref;

/** The type that a schema describes, without null. */
function typeOf(schema: Schema): string {
  const ref = refOf(schema)?.split('/').at(-1);
  if (ref !== undefined) return shortName(ref) ?? VALUES[ref.slice(ref.lastIndexOf('.') + 1)] ?? ref;
  if (schema.type === 'array') return `${typeOf(schema.items ?? {})}[]`;
  if (schema.type === 'object') return `Record<string, ${typeOf(schema.additionalProperties ?? {})}>`;
  if (schema.type === 'integer') return schema.format === 'int32' ? 'number' : 'Int64';
  return schema.format === 'byte' ? 'Base64' : (schema.type ?? '');
}

/** Go's encoder always writes required fields, and fields with a zero default: non-pointer structs, numbers, texts. */
const isAlways = (schema: Schema, required: boolean): boolean => required || isZero(schema.default);

function isZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}

/** Whether an always written field may be null. Such fields have no default: pointers, lists, maps, times and JSON. */
const isNull = (schema: Schema): boolean =>
  schema.default === undefined && !['Quantity', 'IntOrString'].includes(typeOf(schema));

const withoutNull = (type: string): string =>
  type
    .replaceAll(/\(([^()]+) \| null\)/g, '$1')
    .replaceAll(' | null>', '>')
    .replace(/ \| null$/, '');

/** Fields that the documents describe differently from the tags of upstream's structs, with the declared form. */
const OTHERWISE: Readonly<Record<string, string>> = {
  // Times, lists and pointers without omitempty that are not published as required.
  ...marked(
    'null',
    `
    apiextensions.v1.CustomResourceDefinitionCondition: lastTransitionTime
    apiextensions.v1.CustomResourceDefinitionStatus: conditions storedVersions
    apiregistration.v1.APIServiceCondition: lastTransitionTime
    apps.v1.ControllerRevision: data
    apps.v1.DaemonSetCondition: lastTransitionTime
    apps.v1.DeploymentCondition: lastTransitionTime lastUpdateTime
    apps.v1.ReplicaSetCondition: lastTransitionTime
    apps.v1.StatefulSetCondition: lastTransitionTime
    authentication.v1.TokenRequestSpec: audiences boundObjectRef expirationSeconds
    authentication.v1.TokenRequestStatus: expirationTimestamp
    autoscaling.v2.HorizontalPodAutoscalerCondition: lastTransitionTime
    autoscaling.v2.HorizontalPodAutoscalerStatus: currentMetrics
    batch.v1.JobCondition: lastProbeTime lastTransitionTime
    certificates.v1.CertificateSigningRequestCondition: lastTransitionTime lastUpdateTime
    core.v1.AzureFilePersistentVolumeSource: secretNamespace
    core.v1.ContainerImage: names
    core.v1.ContainerStateRunning: startedAt
    core.v1.ContainerStateTerminated: finishedAt startedAt
    core.v1.Event: eventTime firstTimestamp lastTimestamp
    core.v1.EventSeries: lastObservedTime
    core.v1.GRPCAction: service
    core.v1.NamespaceCondition: lastTransitionTime
    core.v1.NodeCondition: lastHeartbeatTime lastTransitionTime
    core.v1.PersistentVolumeClaimCondition: lastProbeTime lastTransitionTime
    core.v1.PodCondition: lastProbeTime lastTransitionTime
    core.v1.ProjectedVolumeSource: sources
    core.v1.ReplicationControllerCondition: lastTransitionTime
    core.v1.TypedLocalObjectReference: apiGroup
    core.v1.TypedObjectReference: apiGroup
    discovery.v1.EndpointSlice: endpoints ports
    events.v1.Event: deprecatedFirstTimestamp deprecatedLastTimestamp
    flowcontrol.v1.FlowSchemaCondition: lastTransitionTime
    flowcontrol.v1.LimitedPriorityLevelConfiguration: nominalConcurrencyShares
    flowcontrol.v1.PriorityLevelConfigurationCondition: lastTransitionTime
    flowcontrol.v1.ResourcePolicyRule: namespaces
    networking.v1.IngressClassParametersReference: scope
    rbac.v1.ClusterRole: rules
    rbac.v1.Role: rules
    resource.v1.AllocatedDeviceStatus: conditions
    resource.v1.CapacityRequestPolicy: default
    resource.v1.DeviceClaim: requests
    storage.v1.CSINodeDriver: topologyKeys
    storage.v1.VolumeError: time
  `,
  ),
  // A quantity and a port without omitempty.
  ...marked(
    'always',
    `
    core.v1.ResourceFieldSelector: divisor
    core.v1.ServicePort: targetPort
  `,
  ),
  // Fields with omitempty that are nevertheless published as required or with a default.
  ...marked(
    'optional',
    `
    admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec: policyName validationActions
    authentication.v1.TokenReviewSpec: token
    autoscaling.v1.ScaleSpec: replicas
    core.v1.AzureDiskVolumeSource: readOnly
    core.v1.ConfigMapEnvSource: name
    core.v1.ConfigMapKeySelector: name
    core.v1.ConfigMapProjection: name
    core.v1.ConfigMapVolumeSource: name
    core.v1.ContainerRestartRule: action
    core.v1.ContainerRestartRuleOnExitCodes: operator
    core.v1.FileKeySelector: optional
    core.v1.ImageVolumeStatus: imageRef
    core.v1.LocalObjectReference: name
    core.v1.PodCertificateProjection: keyType signerName
    core.v1.ReplicationControllerSpec: minReadySeconds
    core.v1.SecretEnvSource: name
    core.v1.SecretKeySelector: name
    core.v1.SecretProjection: name
    networking.v1.IPAddressSpec: parentRef
    networking.v1.ParentReference: name resource
    resource.v1.CapacityRequestPolicyRange: min
    resource.v1.CounterSet: counters
    resource.v1.DeviceCounterConsumption: counters
  `,
  ),
};

/** Parses lines of a type and its fields. */
function marked(how: string, lines: string): Record<string, string> {
  const rows = [...lines.matchAll(/(\S+): (.+)/g)];
  return Object.fromEntries(
    rows.flatMap(([, type, fields = '']) => fields.split(' ').map((field) => [`${type}.${field}`, how])),
  );
}

describe('types of built-in kinds', skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'), () => {
  const schemas = fixtures === undefined ? new Map<string, Schema>() : publishedSchemas();

  test('exist for every published schema', () => {
    expect(schemas.size).toBeGreaterThan(500);
    expect([...schemas.keys()].filter((name) => !declared.has(name))).toEqual([]);
  });

  test('have the fields of the published schemas, with the same types', () => {
    const differences = [...schemas].flatMap(([name, { properties = {} }]) => {
      const fields: Declared = declared.get(name) ?? new Map();
      const names = new Set([...fields.keys(), ...Object.keys(properties)]);
      return [...names].flatMap((field) => {
        const is = fields.get(field)?.type;
        const published = properties[field];
        const wants = published === undefined ? undefined : typeOf(published);
        return is !== undefined && withoutNull(is) === wants ? [] : [`${name}.${field}: ${is}, published ${wants}`];
      });
    });
    expect(differences).toEqual([]);
  });

  test('require every field that is published as required or has a zero default', () => {
    const differences: Record<string, string> = {};
    for (const [name, { properties = {}, required = [] }] of schemas) {
      for (const [field, property] of Object.entries(properties)) {
        const is = declared.get(name)?.get(field);
        if (is === undefined) continue;
        const always = isAlways(property, required.includes(field));
        const wants = always ? (isNull(property) ? 'null' : 'always') : 'optional';
        const has = is.isOptional ? 'optional' : /(?:^| )(?:null|Json)$/.test(is.type) ? 'null' : 'always';
        if (wants !== has) differences[`${name}.${field}`] = has;
      }
    }
    expect(differences).toEqual(OTHERWISE);
  });
});
