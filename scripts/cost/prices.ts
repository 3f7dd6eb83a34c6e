/** A price in dollars and its source. */
export interface Price {
  readonly dollars: number;
  readonly unit: string;
  readonly source: string;
}

const MILLION = 1_000_000;
const page = (path: string) => `https://aws.amazon.com/${path}/pricing/`;
const price = (source: string) => (dollars: number, unit: string) => ({ dollars, unit, source }) satisfies Price;

const cloudfront = price(page('cloudfront'));
const cloudwatch = price(page('cloudwatch'));
const dynamodb = price(page('dynamodb'));
const eventbridge = price(page('eventbridge'));
const fargate = price(page('fargate'));
const kms = price(page('kms'));
const lambda = price(page('lambda'));
const sqs = price(page('sqs'));

/** The region and date of the prices below. Free tiers are never included. */
export const LIST = { region: 'us-east-1', asOf: '2025-12' } as const;

/** List prices. */
export const PRICES = {
  lambdaRequest: lambda(0.2 / MILLION, 'request'),
  lambdaGigabyteSecond: lambda(0.0000133334, 'GB-second, arm64'),
  lambdaStreamedGigabyte: lambda(0.008, 'GB streamed beyond 6 MB of an answer'),
  tableRead: dynamodb(0.125 / MILLION, 'read request unit'),
  tableWrite: dynamodb(0.625 / MILLION, 'write request unit'),
  tableGigabyte: dynamodb(0.25, 'GB-month'),
  tableBackupGigabyte: dynamodb(0.2, 'GB-month of point-in-time recovery'),
  key: kms(1, 'key and month'),
  keyRequest: kms(0.03 / 10_000, 'request'),
  queueRequest: sqs(0.4 / MILLION, 'request'),
  fifoRequest: sqs(0.5 / MILLION, 'request'),
  event: eventbridge(1 / MILLION, 'event of 64 KB'),
  schedule: eventbridge(1 / MILLION, 'invocation'),
  alarmMetric: cloudwatch(0.1, 'metric of an alarm and month'),
  dashboard: cloudwatch(3, 'dashboard and month'),
  logGigabyte: cloudwatch(0.5, 'GB written'),
  logKeptGigabyte: cloudwatch(0.03, 'GB-month'),
  socketMinute: price(page('api-gateway'))(0.25 / MILLION, 'minute of a WebSocket'),
  socketMessage: price(page('api-gateway'))(1 / MILLION, 'message of 32 KB'),
  restRequest: price(page('api-gateway'))(3.5 / MILLION, 'request, and each further 10 MB of an answer'),
  edgeRequest: cloudfront(1 / MILLION, 'HTTPS request'),
  edgeFunction: cloudfront(0.1 / MILLION, 'invocation at the edge'),
  edgeGigabyte: cloudfront(0.085, 'GB to the internet'),
  outGigabyte: price(page('ec2/on-demand'))(0.09, 'GB to the internet'),
  secret: price(page('secrets-manager'))(0.4, 'secret and month'),
  processorHour: fargate(0.03238, 'vCPU-hour, arm64'),
  memoryHour: fargate(0.00356, 'GB-hour, arm64'),
  balancerHour: price(page('elasticloadbalancing'))(0.0225, 'hour'),
  addressHour: price(page('vpc'))(0.005, 'hour of a public IPv4 address'),
  bucketGigabyte: price(page('s3'))(0.023, 'GB-month'),
} as const satisfies Readonly<Record<string, Price>>;

/** The name of a price. */
export type PriceName = keyof typeof PRICES;

/** The hours of a month, as AWS counts them. */
export const HOURS = 730;
/** The length of such a month in seconds. */
export const SECONDS = HOURS * 3600;

/** One line of an estimate: a monthly quantity at a price. */
export interface Line {
  readonly what: string;
  readonly quantity: number;
  readonly price: PriceName;
}

/** The dollars of a line. */
export const dollarsOf = ({ quantity, price: name }: Line): number => quantity * PRICES[name].dollars;

/** The dollars of all lines. */
export const total = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + dollarsOf(line), 0);
