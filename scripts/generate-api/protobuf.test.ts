import { expect, test } from 'vitest';
import { messagesOf } from './protobuf.ts';

const TEXT = `package k8s.io.api.example.v1;

// A comment that says message Other { is none.
message Thing {
  // +optional
  optional .k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta metadata = 1;

  repeated Part parts = 2;
  map<string, string> labels = 3;
  map<string, k8s.io.apimachinery.pkg.api.resource.Quantity> limits = 4;
}

message Part {
  required int64 size = 7 [packed = false];
}
`;

test('reads messages, numbers, lists and maps of a generated.proto', () => {
  expect(messagesOf(TEXT)).toEqual({
    'k8s.io.api.example.v1.Thing': {
      metadata: [1, '.k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta'],
      parts: [2, 'Part[]'],
      labels: [3, 'map<string,string>'],
      limits: [4, 'map<string,k8s.io.apimachinery.pkg.api.resource.Quantity>'],
    },
    'k8s.io.api.example.v1.Part': { size: [7, 'int64'] },
  });
});
