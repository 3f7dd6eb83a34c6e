import { notFound } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ApiRequest, ApiResponse } from '../api.ts';
import type { Handler } from '../filters/filter.ts';
import type { HealthCheck } from '../health.ts';
import { MEDIA_TYPES, negotiate } from '../negotiate.ts';
import { respond } from '../respond.ts';

const DEPRECATED = 'v1 ComponentStatus is deprecated in v1.19+';
const RESOURCE = { group: '', resource: 'componentstatus' };
const COLUMNS = ['Name', 'Status', 'Message', 'Error'];

interface Finding {
  readonly name: string;
  readonly healthy: boolean;
  readonly message: string;
}

/** `componentstatuses`: the storage, as this server's own health checks find it. */
export function componentStatusEndpoint(checks: readonly HealthCheck[]): Handler {
  return async (request, { info, warnings }) => {
    warnings.add(DEPRECATED);
    if (info.name !== '' && info.name !== 'etcd-0') throw notFound(RESOURCE, info.name);
    const finding = { name: 'etcd-0', ...(await health(checks)) };
    return answer(request, finding, info.name === '');
  };
}

async function health(checks: readonly HealthCheck[]): Promise<Omit<Finding, 'name'>> {
  try {
    for (const { check, readiness } of checks) if (readiness !== true) await check();
    return { healthy: true, message: 'ok' };
  } catch (error) {
    return { healthy: false, message: error instanceof Error ? error.message : String(error) };
  }
}

function answer(request: ApiRequest, finding: Finding, isList: boolean): ApiResponse {
  const offer = { mediaTypes: MEDIA_TYPES, transformMediaTypes: MEDIA_TYPES, transforms: true };
  const want = negotiate(request, offer);
  if (want.as?.kind === 'Table') return respond(table(finding, want.as.version), want);
  const identity = { kind: 'ComponentStatus', apiVersion: 'v1' };
  if (!isList) return respond({ ...identity, ...statusOf(finding) }, want);
  return respond({ kind: 'ComponentStatusList', apiVersion: 'v1', metadata: {}, items: [statusOf(finding)] }, want);
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

function table(finding: Finding, version: string): JsonObject {
  const { name, healthy, message } = finding;
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
    rows: [
      {
        cells: [name, healthy ? 'Healthy' : 'Unhealthy', healthy ? message : '', healthy ? '' : message],
        object: { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: { name } },
      },
    ],
  };
}
