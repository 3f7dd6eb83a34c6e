import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import type { RequestAuditConfig } from '#lib/server/audit/evaluate.ts';
import { type AuditEvent, includes, type Level, type Stage } from '#lib/server/audit/event.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Attributes } from '#lib/server/authorization/authorizer.ts';
import type { RequestAudit } from '#lib/server/request/request-audit.ts';
import { latestOf, type RequestContext } from '#lib/server/request/request-context.ts';
import { userInfo } from '../special/user-info.ts';
import type { AuditPorts } from './audit-ports.ts';
import {
  carriesToken,
  quotesSecret,
  redactStatus,
  withoutAccessToken,
  withoutManagedFields,
  withoutToken,
} from './confidential.ts';
import { eventReference, objectReference, patchText, uriOf, userAgentOf } from './request-parts.ts';
import { type AnswerBody, answeredObject, isObjectAnswer, isStatus } from './response-object.ts';
import { sourceIPs } from './source-ips.ts';

/** The request of an audit event and the policy's decision about it. */
export interface AuditedRequest {
  readonly context: RequestContext;
  readonly clock: Clock;
  readonly attributes: Attributes;
  readonly config: RequestAuditConfig;
  /** The user of the request. Undefined if authentication failed. */
  readonly user: User | undefined;
}

type Metadata = Pick<AuditEvent, 'requestURI' | 'verb' | 'user' | 'sourceIPs' | 'userAgent'>;

/** Records one request and passes its event to the sink at each stage: upstream's AuditContext. */
export class AuditRecord implements RequestAudit {
  readonly #audited: AuditedRequest;
  readonly #ports: AuditPorts;
  readonly #metadata: Metadata;
  readonly #objectRef: JsonObject | undefined;
  #responseStatus: JsonObject | undefined;
  #requestObject: string | undefined;
  #responseObject: string | undefined;

  constructor(audited: AuditedRequest, ports: AuditPorts) {
    const { context, attributes, user } = audited;
    const { request } = context;
    this.#audited = audited;
    this.#ports = ports;
    this.#objectRef = objectReference(attributes);
    this.#metadata = {
      requestURI: withoutAccessToken(uriOf(request)),
      verb: attributes.verb,
      user: user === undefined ? {} : userInfo(user),
      sourceIPs: sourceIPs(request),
      userAgent: userAgentOf(request),
    };
  }

  get level(): Level {
    return this.#audited.config.level;
  }

  get showsRequests(): boolean {
    return includes(this.level, 'Request');
  }

  requestObject(object: JsonObject): void {
    this.#refer(objectAt(object, 'metadata'));
    if (this.showsRequests) this.#requestObject = this.#encoded(object);
  }

  requestPatch(bytes: Uint8Array): void {
    if (this.showsRequests) this.#requestObject = patchText(bytes);
  }

  /** Records the response code, and the body if it is complete and is an object of the API server. */
  answered(code: number, answer?: AnswerBody): void {
    const object = answer !== undefined && this.#reads(answer) ? answeredObject(answer) : undefined;
    const status = object?.['kind'] === 'Status' ? object : {};
    this.#setStatus(status, code);
    if (object !== undefined && this.level === 'RequestResponse') this.#responseObject = this.#encoded(object);
  }

  /** Records a Status that was returned instead of the requested object. */
  refused(status: JsonObject, code: number): void {
    this.#setStatus(status, code);
    if (this.level !== 'RequestResponse') return;
    this.#responseObject = encodeJson(
      quotesSecret(this.#audited.context.info, this.level, code) ? redactStatus(status) : status,
    );
  }

  /** Resolves with false if the sink lost the event and the request must be aborted. */
  stage(stage: Stage): Promise<boolean> {
    if (this.#audited.config.omitStages.has(stage)) return Promise.resolve(true);
    this.#ports.metrics.given();
    return this.#ports.sink.process([this.#event(stage)]);
  }

  #event(stage: Stage): AuditEvent {
    const { context, clock, user } = this.#audited;
    const { user: actingUser, impersonationConstraint } = latestOf(context);
    const requestReceived = context.now.getTime();
    return {
      level: this.level,
      auditID: context.auditId,
      stage,
      ...this.#metadata,
      ...(user === undefined || actingUser === user ? {} : { impersonatedUser: userInfo(actingUser) }),
      ...defined({ impersonationConstraint }),
      ...(this.#objectRef === undefined ? {} : { objectRef: eventReference(this.#objectRef) }),
      ...defined({
        responseStatus: this.#responseStatus,
        requestObject: this.#requestObject,
        responseObject: this.#responseObject,
      }),
      requestReceived,
      staged: stage === 'RequestReceived' ? requestReceived : clock.now(),
      annotations: new Map(context.annotations),
    };
  }

  #reads(answer: AnswerBody): boolean {
    return isStatus(answer) || (this.level === 'RequestResponse' && isObjectAnswer(answer));
  }

  #encoded(object: JsonObject): string {
    const { config, context } = this.#audited;
    const shown = carriesToken(context.info) ? withoutToken(context.info, object) : object;
    return encodeJson(config.omitManagedFields ? withoutManagedFields(shown) : shown);
  }

  /** Records the bounded fields of a Status, in upstream's order. */
  #setStatus(status: JsonObject, code: number): void {
    const shown = quotesSecret(this.#audited.context.info, this.level, code) ? redactStatus(status) : status;
    const fields = ['status', 'message', 'reason', 'details'].flatMap((name) => {
      const value = shown[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    this.#responseStatus = { metadata: {}, ...Object.fromEntries(fields), code };
  }

  #refer(metadata: JsonObject | undefined): void {
    const ref = this.#objectRef;
    if (ref === undefined) return;
    for (const field of ['namespace', 'name', 'uid', 'resourceVersion'])
      if (ref[field] === '') ref[field] = stringAt(metadata, field) ?? '';
  }
}
