import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError, unclassified } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { statusOf } from '#lib/machinery/status.ts';
import { annotate, NOT_AUDITED } from '#lib/server/request/request-audit.ts';
import { latestOf, type RequestContext, withFacts } from '#lib/server/request/request-context.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { ApiResponse } from '../api.ts';
import type { AuditPorts } from '../audit/audit-ports.ts';
import { AuditRecord } from '../audit/audit-record.ts';
import { auditedStream } from '../audit/audited-stream.ts';
import { asStatusError } from '../status-response.ts';
import { requestAttributes } from './attributes.ts';
import type { Filter } from './filter.ts';
import { isLongRunning } from './request-deadline.ts';

/** Audits requests and their outcome according to the policy, like upstream's WithAudit. Without a policy, the filter is left out. */
export const audit: Filter = (next, { audit: ports, clock }) => {
  if (ports === undefined) return next;
  return async (given) => {
    const record = recordOf(given, { ports, clock, known: true });
    const context = withFacts(given, { audit: record ?? NOT_AUDITED });
    if (record === undefined) return next(context);
    if (!(await record.stage('RequestReceived'))) {
      ports.metrics.rejected();
      throw unclassified(`Internal Server Error: ${quote(given.request.path)}: failed to store audit event`);
    }
    const outcome: Outcome = { record, ports, context, clock, streams: isLongRunning(given.info) };
    const response = await next(context).catch((error: unknown) => failed(outcome, error));
    return answered(outcome, response);
  };
};

/**
 * Audits requests that fail before authentication, with an event without a user: upstream's
 * WithFailedAuthenticationAudit.
 */
export const failedAudit: Filter = (next, { audit: ports, clock }) => {
  if (ports === undefined) return next;
  return (context) =>
    next(context).catch(async (error: unknown) => {
      const isAudited = latestOf(context).audit !== undefined;
      const record = isAudited ? undefined : recordOf(context, { ports, clock, known: false });
      if (record === undefined) throw error;
      const refusal = asStatusError(error, context.auditId);
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

function recordOf(context: RequestContext, { ports, clock, known }: Begun): AuditRecord | undefined {
  const user = known ? context.user : undefined;
  const attributes = requestAttributes(context);
  const config = ports.policy(user, attributes);
  ports.metrics.judged(config.level);
  return config.level === 'None' ? undefined : new AuditRecord({ context, clock, attributes, config, user }, ports);
}

interface Outcome {
  readonly record: AuditRecord;
  readonly ports: AuditPorts;
  readonly context: RequestContext;
  readonly clock: Clock;
  /** Whether the start of the response is a separate event. */
  readonly streams: boolean;
}

async function completed({ record, ports, context, clock }: Outcome): Promise<void> {
  const slow = context.latencies?.annotations(clock.now() - context.now.getTime()) ?? [];
  for (const [key, value] of slow) annotate(context, key, value);
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

/** Audits an error, which completes the response. A fault of the server itself is upstream's stage Panic. */
async function failed(outcome: Outcome, error: unknown): Promise<never> {
  const { record, ports, context, streams } = outcome;
  const refusal = asStatusError(error, context.auditId);
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
