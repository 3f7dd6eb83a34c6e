import { answerEvent } from '#adapters/aws/lambda/door.ts';
import { type RestEvent, restRequest } from '#adapters/aws/lambda/rest.ts';
import { outliveErrors } from '#adapters/process/unhandled-errors.ts';
import { duringWork } from '#adapters/process/work.ts';
import { configOf } from './config.ts';
import { eventServer } from './event-door.ts';
import { reportUnhandled } from './platform.ts';

const server = eventServer(configOf(process.env));

/** The API server behind a REST API that streams its responses. */
export const handler = awslambda.streamifyResponse<RestEvent>(async (event, stream, context) => {
  outliveErrors(reportUnhandled);
  const door = { toRequest: restRequest, ...server(event.requestContext.domainName ?? 'localhost') };
  const withHead = awslambda.HttpResponseStream.from;
  await duringWork({ requestId: context.awsRequestId }, () => answerEvent(door, event, { stream, withHead, context }));
});
