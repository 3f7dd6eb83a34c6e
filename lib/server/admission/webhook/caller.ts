import { badRequest, forbidden, internalError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { newUid } from '#lib/machinery/random.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import { WebhookError } from '#lib/server/webhook/answer.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import type { RequestViews } from '../cel/request-views.ts';
import type { Match, Matcher } from '../matching/matcher.ts';
import type { VersionedObjects } from '../versioned.ts';
import { CallFailure, Denied, denial } from './failure.ts';
import type { Hook } from './hook.ts';
import type { WebhookMetrics } from './metrics.ts';
import { admissionReview, ReviewError, type ReviewResult, readReview, reviewVersion } from './review.ts';

/** The ports of a WebhookCaller. */
export interface CallerPorts {
  readonly client: WebhookClient;
  readonly matcher: Matcher;
  readonly authorizer: Authorizer;
  readonly metrics: WebhookMetrics;
}

/** A webhook to call, and the version in which it sees the request. */
export interface Invocation {
  readonly hook: Hook;
  readonly match: Match;
}

/** Decides whether to call webhooks, and calls them. Shared by mutating and validating webhooks. */
export class WebhookCaller {
  readonly #ports: CallerPorts;
  readonly #mutating: boolean;

  constructor(ports: CallerPorts, mutating: boolean) {
    this.#ports = ports;
    this.#mutating = mutating;
  }

  /** Returns undefined if the webhook does not match the request. Throws if matching fails. */
  async invocation(hook: Hook, views: RequestViews): Promise<Invocation | undefined> {
    const match = await this.#ports.matcher.match(hook.criteria, views.attributes);
    if (match === undefined) return undefined;
    return (await this.#meetsConditions(hook, views, match)) ? { hook, match } : undefined;
  }

  async #meetsConditions(hook: Hook, views: RequestViews, match: Match): Promise<boolean> {
    if (hook.conditions.isEmpty) return true;
    const { request } = await views.of(match);
    const held = await hook.conditions.hold({ request, namespace: undefined, params: undefined });
    if (typeof held === 'boolean') return held;
    if (hook.ignoresFailure) return false;
    const { resource, name } = views.attributes;
    throw forbidden(resource, name, held);
  }

  /**
   * Runs and measures `work`, which calls the webhook. Returns false if it failed and the failure is ignored. Such a failure is annotated
   * under `key`. Throws the rejection of the request.
   */
  async attempt(hook: Hook, attributes: Attributes, key: string, work: () => Promise<void>): Promise<boolean> {
    const type = this.#mutating ? 'admit' : 'validating';
    const layer = this.#mutating ? 'mutating-webhook' : 'validating-webhook';
    const call = this.#ports.metrics.began({ name: hook.name, type, operation: attributes.operation });
    try {
      await work().finally(() => attributes.context.latencies?.took(layer, call.milliseconds()));
      call.passed();
      return true;
    } catch (error) {
      if (error instanceof Denied) {
        call.rejected('no_error', error.status.code);
        throw error.status;
      }
      if (!(error instanceof CallFailure)) {
        call.rejected('apiserver_internal_error', 0);
        throw error;
      }
      if (!hook.ignoresFailure) {
        call.rejected('calling_webhook_error', error.code);
        throw internalError(error.message);
      }
      call.failedOpen(error.code);
      attributes.annotate(key, hook.name);
      return false;
    }
  }

  /** Returns the webhook's decision, and passes on its warnings and annotations. Throws CallFailure and Denied. */
  async call({ hook, match }: Invocation, attributes: Attributes, shown: VersionedObjects): Promise<ReviewResult> {
    if (attributes.dryRun && !hook.allowsDryRun) {
      throw badRequest(`admission webhook ${quote(hook.name)} does not support dry run`);
    }
    const version = reviewVersion(hook.reviewVersions);
    if (version === undefined) {
      const why = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';
      throw new CallFailure(hook.name, `could not create admission objects: ${why}`, { code: 400 });
    }
    const uid = newUid();
    const body = admissionReview({ version, uid }, attributes, match, shown);
    const reviewed = await this.#ask(hook, version, uid, body);
    for (const [key, value] of reviewed.annotations) attributes.annotate(`${hook.name}/${key}`, value);
    for (const text of reviewed.warnings) attributes.context.warn(text);
    if (!reviewed.allowed) throw new Denied(denial(hook.name, reviewed.result));
    return reviewed;
  }

  async #ask(
    hook: Hook,
    version: string,
    uid: string,
    body: ReturnType<typeof admissionReview>,
  ): Promise<ReviewResult> {
    try {
      const answer = await this.#ports.client.call({ config: hook.client, body, timeoutSeconds: hook.timeoutSeconds });
      return readReview(answer, version, uid, this.#mutating);
    } catch (error) {
      if (error instanceof ReviewError)
        throw new CallFailure(hook.name, `received invalid webhook response: ${error.message}`, { cause: error });
      if (!(error instanceof WebhookError)) throw error;
      throw new CallFailure(hook.name, `failed to call webhook: ${error.message}${this.#advice(hook, error)}`, {
        cause: error,
      });
    }
  }

  /** Returns a hint at the configuration of a webhook whose calls are paused. */
  #advice({ configuration }: Hook, { kind }: WebhookError): string {
    if (kind !== 'paused') return '';
    const resource = `${this.#mutating ? 'mutating' : 'validating'}webhookconfiguration`;
    return ` (kubectl get ${resource} ${configuration})`;
  }
}
