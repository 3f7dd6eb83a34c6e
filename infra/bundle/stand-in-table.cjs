'use strict';
// What a function finds in place of its table while it is compiled: enough of DynamoDB, in memory, for its first requests.

const { createServer } = require('node:http');

/** Answers the endpoint of an empty table, whatever its name, on the loopback. */
exports.standInTable = async () => {
  const items = new Map();
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const operation = String(request.headers['x-amz-target']).split('.').at(-1);
      const { status, body } = answer(items, operation, JSON.parse(Buffer.concat(parts).toString()));
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { endpoint: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
};

const nameOf = ({ pk, sk }) => `${pk.S}\n${sk.S}`;
const done = (body) => ({ status: 200, body });

function answer(items, operation, input) {
  const name = nameOf(input.Item ?? input.Key ?? { pk: '', sk: '' });
  const known = items.get(name);
  const failed = input.ConditionExpression === 'attribute_not_exists(pk)' && known !== undefined;
  if (failed) return { status: 400, body: { __type: 'ConditionalCheckFailedException', message: '', Item: known } };
  if (operation === 'GetItem') return done({ Item: known });
  if (operation === 'Query') return done({ Items: queried(items, input) });
  if (operation === 'PutItem') items.set(name, input.Item);
  if (operation === 'UpdateItem') items.set(name, updated(known, input));
  if (operation === 'DeleteItem') items.delete(name);
  return done({});
}

/** All updates that the first requests send set a version and a format. */
const updated = (known, { Key, ExpressionAttributeValues: values }) => ({
  ...known,
  ...Key,
  v: values[':to'],
  f: values[':f'],
});

function queried(items, { ExpressionAttributeValues: values, ScanIndexForward: forward = true, Limit: limit }) {
  const { ':pk': pk, ':first': first, ':last': last } = values;
  const found = [...items.values()].filter(
    (item) => item.pk.S === pk.S && (first === undefined || (item.sk.S >= first.S && item.sk.S <= last.S)),
  );
  found.sort((a, b) => (a.sk.S < b.sk.S ? -1 : 1));
  return (forward ? found : found.reverse()).slice(0, limit);
}
