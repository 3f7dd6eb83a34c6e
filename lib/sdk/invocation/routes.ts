import * as z from 'zod';
import { badRequest, notFound } from '#lib/machinery/errors.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import type { NamespacedName } from '#lib/machinery/namespaced-name.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { Route } from '#lib/server/endpoints/non-resource.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { FunctionState } from './function-state.ts';
import type { InvocationLog, InvocationQuery } from './invocation-log.ts';

/** The operations on the reconcilers that run here. */
export interface Operated {
  /** Reconciles one object again. False if no reconciler of this name runs. */
  replay(reconciler: string, object: NamespacedName): boolean;
  /** Immediately retries keys whose retries ended or that wait after a failure, of one reconciler or of all. Returns the number of keys. */
  redrive(reconciler?: string): number | undefined;
}

/** The functions whose invocations are served. */
export interface OperatedFunctions {
  /** Undefined until the functions run. */
  running(): Operated | undefined;
  /** The user's functions, and whether they run. */
  functions(): readonly FunctionState[];
}

const LIMIT = 500;

const query = z.strictObject({
  function: z.string().optional(),
  failed: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
  kind: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(LIMIT).default(LIMIT),
});
const replay = z.strictObject({ reconciler: z.string().min(1), namespace: z.string(), name: z.string().min(1) });
const redrive = z.strictObject({ reconciler: z.string().min(1).optional() });

/**
 * Serves the invocations of functions, and requests to repeat them. They are not resources: they are not stored or watched, and not in
 * discovery. Clients therefore do not mistake them for a part of Kubernetes. RBAC protects them with `nonResourceURLs`.
 */
export function invocationRoutes(log: InvocationLog, { running, functions }: OperatedFunctions): readonly Route[] {
  return [
    {
      path: '/debug/davit/invocations',
      handle: ({ request }) => answer(log.list(read(query, Object.fromEntries(request.query)) as InvocationQuery)),
    },
    { path: '/debug/davit/functions', handle: () => answer({ items: functions() }) },
    {
      path: '/debug/davit/replay',
      method: 'POST',
      async handle({ request }) {
        const { reconciler, ...object } = read(replay, await bodyOf(request));
        if (running()?.replay(reconciler, object) !== true) throw unknown(reconciler);
        return answer({ queued: 1 });
      },
    },
    {
      path: '/debug/davit/redrive',
      method: 'POST',
      async handle({ request }) {
        const { reconciler } = read(redrive, await bodyOf(request));
        const queued = running()?.redrive(reconciler);
        if (queued === undefined) throw unknown(reconciler ?? '');
        return answer({ queued });
      },
    },
  ];
}

const unknown = (reconciler: string) => notFound({ group: 'davit.dev', resource: 'reconcilers' }, reconciler);

const answer = (body: unknown): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: `${JSON.stringify(body)}\n`,
});

async function bodyOf(request: ApiRequest): Promise<unknown> {
  const bytes = await request.body();
  return bytes.length === 0 ? {} : decodeJson(bytes).value;
}

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  throw badRequest(found.error.issues.map(({ path, message }) => [...path, message].map(String).join(': ')).join('; '));
}
