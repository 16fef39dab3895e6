CREATE TABLE "cos"."counts" (
	"about" text NOT NULL,
	"label" text NOT NULL,
	"number" double precision NOT NULL,
	CONSTRAINT "counts_about_label_pk" PRIMARY KEY("about","label")
);
