import { messageOfError } from '#lib/machinery/error-message.ts';
import { notFound } from '#lib/machinery/errors.ts';
import { matchesFields, parseFieldSelector } from '#lib/machinery/fields/selector.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { matches, parseSelector } from '#lib/machinery/labels/selector.ts';
import { fieldLabelsOf } from '#lib/server/registry/field-labels.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { ApiResponse } from '../api.ts';
import type { Handler } from '../filters/filter.ts';
import type { HealthCheck } from '../health.ts';
import { MEDIA_TYPES, negotiate } from '../negotiate.ts';
import { listOptions } from '../options.ts';
import { respond } from '../respond.ts';

const DEPRECATED = 'v1 ComponentStatus is deprecated in v1.19+';
const RESOURCE = { group: '', resource: 'componentstatus' };
const NAME = 'etcd-0';
const FIELDS = fieldLabelsOf({ group: '', version: 'v1', kind: 'ComponentStatus' });
const COLUMNS = ['Name', 'Status', 'Message', 'Error'];

interface Finding {
  readonly name: string;
  readonly healthy: boolean;
  readonly message: string;
}

/** Serves `componentstatuses`: the storage, according to this server's own health checks. */
export function componentStatusEndpoint(checks: readonly HealthCheck[]): Handler {
  return async ({ request, info, warn, annotations }) => {
    warn(DEPRECATED);
    annotations.set('k8s.io/deprecated', 'true');
    if (info.name !== '' && info.name !== NAME) throw notFound(RESOURCE, info.name);
    const isList = info.name === '';
    const findings = isList && !isSelected(request.query) ? [] : [{ name: NAME, ...(await health(checks)) }];
    return answer(request, findings, isList);
  };
}

/** Whether a list's selectors match the one component. Throws 400 for unsupported selectors. */
function isSelected(query: URLSearchParams): boolean {
  const { labelSelector, fieldSelector } = listOptions(query);
  const fields = parseFieldSelector(fieldSelector);
  const refused = fields.find(({ field }) => !Object.hasOwn(FIELDS.labels, field));
  if (refused !== undefined) throw FIELDS.refuse(refused.field);
  const isNamed = matchesFields(fields, { 'metadata.name': NAME, 'metadata.namespace': '' });
  return isNamed && (labelSelector === '' || matches(parseSelector(labelSelector), undefined));
}

async function health(checks: readonly HealthCheck[]): Promise<Omit<Finding, 'name'>> {
  try {
    for (const { check, readiness } of checks) if (readiness !== true) await check();
    return { healthy: true, message: 'ok' };
  } catch (error) {
    return { healthy: false, message: messageOfError(error) };
  }
}

function answer(request: ApiRequest, findings: readonly Finding[], isList: boolean): ApiResponse {
  const offer = { mediaTypes: MEDIA_TYPES, transformMediaTypes: MEDIA_TYPES, transforms: true };
  const want = negotiate(request, offer);
  if (want.as?.kind === 'Table') return respond(table(findings, want.as.version), want);
  const identity = { kind: 'ComponentStatus', apiVersion: 'v1' };
  const statuses = findings.map(statusOf);
  if (!isList) return respond({ ...identity, ...statuses[0] }, want);
  return respond({ kind: 'ComponentStatusList', apiVersion: 'v1', metadata: {}, items: statuses }, want);
}

const statusOf = ({ name, healthy, message }: Finding): JsonObject => ({
  metadata: { name },
  conditions: [
    {
      type: 'Healthy',
      status: healthy ? 'True' : 'False',
      ...(healthy ? { message } : { message: '', error: message }),
    },
  ],
});

function table(findings: readonly Finding[], version: string): JsonObject {
  const description = (column: string): string =>
    column === 'Name' ? 'Name of the component' : `${column} of its health`;
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: {},
    columnDefinitions: COLUMNS.map((column) => ({
      name: column,
      type: 'string',
      format: column === 'Name' ? 'name' : '',
      description: description(column),
      priority: 0,
    })),
    rows: findings.map(({ name, healthy, message }) => ({
      cells: [name, healthy ? 'Healthy' : 'Unhealthy', healthy ? message : '', healthy ? '' : message],
      object: { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: { name } },
    })),
  };
}
