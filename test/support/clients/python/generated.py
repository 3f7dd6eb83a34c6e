"""Drives a custom kind with a client that was generated from its published document; prints what it saw as one JSON object."""

import json
import os

import davit_client
from davit_client.exceptions import ApiException
from davit_client.models.test_davit_generated_v1_robot import TestDavitGeneratedV1Robot as Robot
from davit_client.models.test_davit_generated_v1_robot_spec import TestDavitGeneratedV1RobotSpec as Spec
from davit_client.models.test_davit_generated_v1_robot_status import TestDavitGeneratedV1RobotStatus as Status
from davit_client.models.io_k8s_apimachinery_pkg_apis_meta_v1_object_meta import (
    IoK8sApimachineryPkgApisMetaV1ObjectMeta as ObjectMeta,
)

configuration = davit_client.Configuration(host=os.environ["SERVER"], ssl_ca_cert=os.environ["AUTHORITY"])
configuration.cert_file = os.environ["CERTIFICATE"]
configuration.key_file = os.environ["KEY"]
robots = davit_client.GeneratedDavitTestV1Api(davit_client.ApiClient(configuration))

body = Robot(
    apiVersion="generated.davit.test/v1", kind="Robot", metadata=ObjectMeta(name="marvin"), spec=Spec(legs=2)
)
created = robots.create_generated_davit_test_v1_namespaced_robot("default", body)
created.spec.legs = 4
replaced = robots.replace_generated_davit_test_v1_namespaced_robot("marvin", "default", created)
replaced.status = Status(mood="gloomy")
seen = robots.replace_generated_davit_test_v1_namespaced_robot_status("marvin", "default", replaced)
try:
    robots.replace_generated_davit_test_v1_namespaced_robot("marvin", "default", created)
    conflict = None
except ApiException as error:
    conflict = [error.status, json.loads(error.body)["reason"]]
listed = robots.list_generated_davit_test_v1_namespaced_robot("default", label_selector="!none")
gone = robots.delete_generated_davit_test_v1_namespaced_robot("marvin", "default")
left = robots.list_generated_davit_test_v1_robot_for_all_namespaces()
print(
    json.dumps(
        {
            "legs": [created.spec.legs, replaced.spec.legs],
            "generation": seen.metadata.generation,
            "mood": seen.status.mood,
            "conflict": conflict,
            "listed": [robot.metadata.name for robot in listed.items],
            "gone": gone.status,
            "left": len(left.items),
        }
    )
)
