import { quote } from '#lib/machinery/go.ts';
import { jsonKind } from '#lib/machinery/go-values.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type Json, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import type { TransportResponse } from './transport.ts';

interface WebhookErrorOptions extends ErrorOptions {
  readonly status?: number;
  readonly isReset?: boolean;
}

/** A webhook call without a usable response. The message is that of upstream's client. */
export class WebhookError extends Error {
  /**
   * `unreachable`: there was no response. `paused`: it was not called. `refused`: the status was not 200. `malformed`: the response is not
   * the requested object.
   */
  readonly kind: 'unreachable' | 'paused' | 'refused' | 'malformed';
  /** The status if the webhook refused. */
  readonly status: number | undefined;
  /** Whether an early retry may succeed: upstream's DefaultShouldRetry. */
  readonly isTransient: boolean;

  constructor(kind: WebhookError['kind'], message: string, options: WebhookErrorOptions = {}) {
    super(message, options);
    this.name = 'WebhookError';
    this.kind = kind;
    this.status = options.status;
    this.isTransient = options.isReset === true || isPassing(options.status);
  }
}

/** Whether the status means too many requests, or a server error. */
const isPassing = (status = 0): boolean => status === 429 || (status >= 500 && status !== 503);

/** The number of bytes of a non-object response that error messages quote. */
const QUOTED_BYTES = 2048;

/** Returns the JSON object of a response. Throws WebhookError. */
export function readAnswer({ status, contentType, body }: TransportResponse): JsonObject {
  if (status < 200 || status > 206)
    throw new WebhookError('refused', refusalText(status, contentType, body), { status });
  if (body.length === 0) {
    const text = `0-length response with status code: ${status} and content type: ${contentType || 'application/json'}`;
    throw new WebhookError('malformed', text);
  }
  return decoded(body);
}

/** Decodes an object from JSON or YAML, because upstream's decoder accepts both. Throws WebhookError. */
export function decoded(body: Uint8Array): JsonObject {
  const value = parse(body);
  if (isObject(value)) return value;
  const fields = ['apiVersion', 'kind'].map((name) => {
    const tag = quote(`json:${quote(`${name},omitempty`)}`);
    return `${name === 'kind' ? 'Kind' : 'APIVersion'} string ${tag}`;
  });
  const why = `json: cannot unmarshal ${jsonKind(value)} into Go value of type struct { ${fields.join('; ')} }`;
  throw new WebhookError('malformed', `couldn't get version/kind; json parse error: ${why}`);
}

function parse(body: Uint8Array): Json {
  try {
    return decodeJson(body).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return parseYaml(body, error);
  }
}

function parseYaml(body: Uint8Array, json: JsonSyntaxError): Json {
  try {
    return decodeYaml(body).value;
  } catch (error) {
    const why = `couldn't get version/kind; json parse error: ${json.message}`;
    throw new WebhookError('malformed', why, { cause: error });
  }
}

/** Whether the value is a Status instead of the requested object. */
const isFailure = (value: JsonObject): boolean =>
  stringAt(value, 'kind') === 'Status' && stringAt(value, 'apiVersion') === 'v1' && value['status'] !== 'Success';

function refusalText(status: number, contentType: string, body: Uint8Array): string {
  const message = statusMessage(body);
  if (message !== undefined) return message;
  const isText = contentType === '' || contentType.startsWith('text/');
  const excerpt = isText ? Buffer.from(body.subarray(0, QUOTED_BYTES)).toString('utf8').trim() : 'unknown';
  const text = TEXTS[status];
  if (text !== undefined) return text;
  if (status === 403 || status === 415) return excerpt;
  if (status === 406) return excerpt === '' || excerpt === 'unknown' ? NOT_ACCEPTABLE : excerpt;
  if (status >= 500) return `an error on the server (${quote(excerpt)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}

/** Returns the message of a body that is a Status. */
function statusMessage(body: Uint8Array): string | undefined {
  try {
    const value = decodeJson(body).value;
    return isObject(value) && isFailure(value) ? (stringAt(value, 'message') ?? '') : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

const NOT_ACCEPTABLE = 'the server was unable to respond with a content type that the client supports';

/** client-go's texts for HTTP statuses without a Status body. */
const TEXTS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};
