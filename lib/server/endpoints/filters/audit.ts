import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError, unclassified } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { statusOf } from '#lib/machinery/status.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { annotate, NOT_AUDITED } from '#lib/server/request/request-audit.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { ApiResponse } from '../api.ts';
import type { AuditPorts } from '../audit/audit-ports.ts';
import { AuditRecord } from '../audit/audit-record.ts';
import { auditedStream } from '../audit/audited-stream.ts';
import { asStatusError } from '../status-response.ts';
import { requestAttributes } from './attributes.ts';
import type { Filter, RequestState } from './filter.ts';
import { isLongRunning } from './request-deadline.ts';

/** Audits requests and their outcome according to the policy, like upstream's WithAudit. Without a policy, the filter is left out. */
export const audit: Filter = (next, { audit: ports, clock }) => {
  if (ports === undefined) return next;
  return async (request, state) => {
    const record = recordOf(request, state, { ports, clock, known: true });
    state.audit = record ?? NOT_AUDITED;
    if (record === undefined) return next(request, state);
    if (!(await record.stage('RequestReceived'))) {
      ports.metrics.rejected();
      throw unclassified(`Internal Server Error: ${quote(request.path)}: failed to store audit event`);
    }
    const outcome: Outcome = { record, ports, state, clock, streams: isLongRunning(state.info) };
    const response = await next(request, state).catch((error: unknown) => failed(outcome, error, state.auditId));
    return answered(outcome, response);
  };
};

/**
 * Audits requests that fail before authentication, with an event without a user: upstream's
 * WithFailedAuthenticationAudit.
 */
export const failedAudit: Filter = (next, { audit: ports, clock }) => {
  if (ports === undefined) return next;
  return (request, state) =>
    next(request, state).catch(async (error: unknown) => {
      const record = state.audit === undefined ? recordOf(request, state, { ports, clock, known: false }) : undefined;
      if (record === undefined) throw error;
      const refusal = asStatusError(error, state.auditId);
      record.refused(statusOf(refusal), refusal.code);
      await record.stage('ResponseStarted');
      if (ports.flushes) await ports.sink.flush();
      throw error;
    });
};

interface Begun {
  readonly ports: AuditPorts;
  readonly clock: Clock;
  /** Whether the user is authenticated. */
  readonly known: boolean;
}

function recordOf(request: ApiRequest, state: RequestState, { ports, clock, known }: Begun): AuditRecord | undefined {
  const user = known ? state.user : undefined;
  const attributes = requestAttributes(state.info, request.query);
  const config = ports.policy(user, attributes);
  ports.metrics.judged(config.level);
  return config.level === 'None'
    ? undefined
    : new AuditRecord({ request, state, clock, attributes, config, user }, ports);
}

interface Outcome {
  readonly record: AuditRecord;
  readonly ports: AuditPorts;
  readonly state: RequestState;
  readonly clock: Clock;
  /** Whether the start of the response is an event of its own. */
  readonly streams: boolean;
}

async function completed({ record, ports, state, clock }: Outcome): Promise<void> {
  const slow = state.latencies?.annotations(clock.now() - state.now.getTime()) ?? [];
  for (const [key, value] of slow) annotate(state, key, value);
  await record.stage('ResponseComplete');
  if (ports.flushes) await ports.sink.flush();
}

async function answered(outcome: Outcome, response: ApiResponse): Promise<ApiResponse> {
  const { record, ports, streams } = outcome;
  const { status, headers, body } = response;
  const contentType = String(headers['content-type'] ?? '');
  if (typeof body === 'string' || body instanceof Uint8Array) {
    record.answered(status, streams ? undefined : { contentType, body: Buffer.from(body) });
    if (streams) await record.stage('ResponseStarted');
    await completed(outcome);
    return response;
  }
  record.answered(status);
  if (streams) await record.stage('ResponseStarted');
  if (ports.flushes && streams) await ports.sink.flush();
  const keeps = !streams && record.level === 'RequestResponse';
  const ended = (kept: Uint8Array | undefined): Promise<void> => {
    if (kept !== undefined) record.answered(status, { contentType, body: kept });
    return completed(outcome);
  };
  return { ...response, body: auditedStream(body, keeps, ended) };
}

/** An error completes the response. Upstream calls a fault of the server itself a panic. */
async function failed(outcome: Outcome, error: unknown, auditId: string): Promise<never> {
  const { record, ports, streams } = outcome;
  const refusal = asStatusError(error, auditId);
  record.refused(statusOf(refusal), refusal.code);
  if (!(error instanceof StatusError) && !(error instanceof StoreError)) {
    await record.stage('Panic');
    if (ports.flushes) await ports.sink.flush();
    throw error;
  }
  if (streams) await record.stage('ResponseStarted');
  await completed(outcome);
  throw error;
}
