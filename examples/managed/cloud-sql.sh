#!/bin/sh
# What Cloud SQL says of an instance, in the form that `facts` of a plan reads. Cloud SQL has no credits to report.
# Usage: cloud-sql.sh INSTANCE. Needs jq, and gcloud with a project and credentials that may read the instance
# (roles/cloudsql.viewer).
set -eu
instance=$1

described=$(gcloud sql instances describe "$instance" --format=json)
operations=$(gcloud sql operations list --instance="$instance" --limit=20 --format=json)

jq -n --argjson db "$described" --argjson operations "$operations" '
    def without_nulls: with_entries(select(.value != null));
    # db-custom-4-15360 has 4 vCPUs and 15360 MB.
    ($db.settings.tier | capture("^db-custom-(?<cpus>[0-9]+)-(?<mb>[0-9]+)$")? // null) as $custom
    | {
        service: "Cloud SQL",
        class: $db.settings.tier,
        vcpu: (if $custom then $custom.cpus | tonumber else null end),
        memory_bytes: (if $custom then ($custom.mb | tonumber) * 1048576 else null end),
        storage: ({
            class: $db.settings.dataDiskType,
            size_bytes: (($db.settings.dataDiskSizeGb // null) | if . then tonumber * 1073741824 else null end)
        } | without_nulls),
        facts: {
            "availability": $db.settings.availabilityType,
            "database version": $db.databaseVersion,
            "edition": $db.settings.edition,
            "zone": $db.gceZone
        } | without_nulls,
        events: [$operations[] | select(.startTime != null) | {
            at: .startTime,
            message: "\(.operationType): \(.status)",
            kind: ({ "FAILOVER": "failover", "RESTART": "restart", "UPDATE": "scaling", "MAINTENANCE": "maintenance",
                     "SELF_SERVICE_MAINTENANCE": "maintenance", "BACKUP_VOLUME": "backup", "BACKUP": "backup"
                   }[.operationType] // "other")
        }]
    } | without_nulls'
